"""Pages of a hall behind the proxy whose configuration is shipped in deploy/."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from deploy.hall import NAMES, NGINX, answers, free_port, proxy_configuration
from tests.app.cameras.camera_help import not_here
from tests.app.common.storage.postgres_help import address, fresh_database, postgres
from tests.app.hall.hall_help import HallServer, open_table, until
from tests.app.server_help import PLAY, act, bearer
from tests.browser.browser_help import visit

__all__ = ["address", "postgres"]


@pytest.fixture
def hall(address: str, tmp_path: Path) -> Iterator[tuple[str, HallServer]]:
    """The proxy's address, and one of the two servers behind it."""
    if NGINX is None:
        not_here("nginx is not installed (apt-get install nginx-light)")
    where, port = fresh_database(address), free_port()
    servers = [HallServer(where, name, open_to_all=False).start() for name in NAMES]
    for server in servers:
        server.session.host_key = server.hall.host_key
    file = proxy_configuration(tmp_path, port, [s.port for s in servers])
    with subprocess.Popen([NGINX, "-p", str(tmp_path), "-e", "stderr", "-c", str(file)]) as proxy:
        assert until(lambda: answers(port))
        yield f"http://127.0.0.1:{port}", servers[0]
        proxy.terminate()
    for server in servers:
        server.stop()


def test_a_game_is_played_through_the_proxy(page: Page, hall: tuple[str, HallServer]) -> None:
    """Whichever server a call comes to: plays are taken, and what others do is shown at once."""
    proxy, server = hall
    with httpx.Client(base_url=server.address, timeout=60) as client:
        client.headers.update(bearer(server.hall.host_key))
        made = open_table(client)
        visit(page, f"{proxy}/table/{made['table']}#t={made['host_token']}")
        act(client, made, PLAY)
    score = page.locator("#players .score").first
    expect(score).to_have_text("4")
    for button, points in (("Undo", "0"), ("Redo", "4")) * 2:  # by turns at both servers
        page.locator("#actions").get_by_role("button", name=button).click()
        expect(score).to_have_text(points)


def test_what_is_no_film_is_said_through_the_proxy(hall: tuple[str, HallServer]) -> None:
    """In the server's words, however long it is and whichever server is asked."""
    proxy, server = hall
    with httpx.Client(base_url=server.address, timeout=60) as client:
        client.headers.update(bearer(server.hall.host_key))
        made = open_table(client)
    address = f"{proxy}/api/tables/{made['table']}/film"
    said = [
        httpx.post(address, content=b"x" * 30_000_000, headers=bearer(made["host_token"]))
        for _ in range(2)
    ]

    assert ["not_a_film"] * 2 == [answer.json()["error"]["code"] for answer in said]
