"""How fast a page shows what a camera saw, and what watchers cost.

python -m tests.browser.measure_live [--rounds 3] [--watchers 20] [--seconds 15]

Frames are photographs of the bundled game, read by the real models. The first figures go from the
moment a frame is sent to the moment the page has drawn its play: of a camera that streams four frames
a second, from the frame with which the position came to rest; of photographs that are posted one by
one, from the only one there is. The last is the processor time of the server with so many watching sockets, above what it takes without them, while the camera sends
four frames a second and a play is made every two seconds.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import tempfile
import threading
import time
from pathlib import Path

import httpx
from playwright.sync_api import Page, sync_playwright
from websockets.sync.client import ClientConnection, connect

from kibitz.app.cli.serving.demo import DEMOS
from kibitz.app.reading.frames import FrameReader
from kibitz.app.tables.registry import Opened
from tests.browser.browser_help import LAPTOP, Served, do, launch, serve

GAME = DEMOS / "scrabble"
WATCH_JS = """() => {
  window.drawn = 0;
  const note = () => requestAnimationFrame(() => { window.drawn = performance.timeOrigin + performance.now(); });
  new MutationObserver(note).observe(document.getElementById('sheet'), {childList: true, subtree: true});
}"""


def frame_to_page(
    served: Served, page: Page, rounds: int, *, stream: bool
) -> list[tuple[float, float]]:
    """For every play of the game: milliseconds from sending its frame to its being drawn.

    Returns:
        For each the time that went by, and the processor time that the server took of it; on a
        machine that is busy with other things the first is the longer.
    """
    facts = json.loads((GAME / "game.json").read_text(encoding="utf-8"))
    files = [GAME / photo["file"] for photo in facts["photos"]]
    found = []
    for _ in range(rounds):
        opened = served.open_table("scrabble", facts["players"], facts["settings"])
        page.goto(served.page(opened))
        page.wait_for_selector("#sheet .sheet-box")
        page.evaluate(WATCH_JS)
        address = f"{served.address.replace('http', 'ws')}/api/tables/{opened.table.id}"
        with connect(f"{address}/camera?token={opened.camera}", max_size=2**24) as camera:
            for number, file in enumerate(files):
                page.evaluate("window.drawn = 0")
                before = len(opened.table.ledger.done)
                send = _film if stream else _post
                sent, used = send(served, opened, camera, file.read_bytes())
                plays = opened.table.ledger.done[before:]
                if number < 2 or not any(d.entry.action.kind == "place" for d in plays):
                    page.wait_for_timeout(100)  # nothing to draw, or models are being loaded
                    continue
                _wait_until_drawn(page)
                taken = 1e3 * (time.process_time() - used)
                found.append((page.evaluate("window.drawn") - sent, taken))
    return found


def _film(
    _served: Served, opened: Opened, camera: ClientConnection, jpeg: bytes
) -> tuple[float, float]:
    """Stream a picture until its position was told or is known to be nothing new.

    Returns:
        When the frame that settled it was sent (ms), and the processor time by then (s).
    """
    for number in range(40):
        sent, used, before = time.time() * 1e3, time.process_time(), opened.table.seq
        # no two frames of a camera are the same bytes, and the same would not be read again
        camera.send(jpeg + bytes(1 + number))
        answer = json.loads(camera.recv(30))
        if opened.table.seq != before or answer["settled"]:
            return sent, used
        time.sleep(max(0.0, 0.25 - (time.time() - sent / 1e3)))
    return sent, used


def _wait_until_drawn(page: Page) -> None:
    """The page lets no text be run as a program, so it is asked again and again."""
    while not page.evaluate("window.drawn > 0"):
        page.wait_for_timeout(20)


def _post(
    served: Served, opened: Opened, _camera: ClientConnection, jpeg: bytes
) -> tuple[float, float]:
    sent, used = time.time() * 1e3, time.process_time()
    headers = {"Authorization": f"Bearer {opened.camera}", "Content-Type": "image/jpeg"}
    path = f"{served.address}/api/tables/{opened.table.id}/frames"
    httpx.post(path, content=jpeg, headers=headers, timeout=60).raise_for_status()
    return sent, used


def watchers_cost(served: Served, watchers: int, seconds: float) -> tuple[float, float]:
    """Parts of a core that the server takes without and with watchers, the same things going on."""
    return _load(served, 0, seconds), _load(served, watchers, seconds)


def _load(served: Served, watchers: int, seconds: float) -> float:
    opened = served.open_table("scrabble", ["Ann", "Bob"], {"reject_invalid": False})
    address = served.address.replace("http", "ws") + f"/api/tables/{opened.table.id}"
    stop = multiprocessing.get_context("spawn").Event()
    crowd = multiprocessing.get_context("spawn").Process(
        target=_watch, args=(f"{address}/live?token={opened.watch}", watchers, stop)
    )
    crowd.start()
    while served.session.hub.watching(opened.table.id) < watchers:
        time.sleep(0.1)
    time.sleep(0.5)
    ended = threading.Event()
    sender = threading.Thread(
        target=_send, args=(f"{address}/camera?token={opened.camera}", ended), daemon=True
    )
    sender.start()
    time.sleep(1.0)
    began, used = time.monotonic(), time.process_time()
    column = 1
    while time.monotonic() - began < seconds:
        _play(opened, column)
        column += 1
        time.sleep(2.0)
    share = (time.process_time() - used) / (time.monotonic() - began)
    ended.set()
    sender.join()
    stop.set()
    crowd.join()
    return share


def _play(opened: Opened, number: int) -> None:
    """Something that every page has to draw: a word, then it is taken back."""
    if number % 2:
        do(opened, action="place", player="Ann", tiles={"H8": "A", "H9": "T"})
    else:
        do(opened, action="undo")


def _send(address: str, ended: threading.Event) -> None:
    """A camera whose view does not change, four frames a second."""
    jpeg = (GAME / "01.jpg").read_bytes()
    with connect(address, max_size=2**24) as socket:
        while not ended.wait(0.25):
            socket.send(jpeg)
            socket.recv(10)


def _watch(address: str, count: int, stop) -> None:
    sockets = [connect(address, max_size=2**24) for _ in range(count)]

    def drain(socket) -> None:
        for _ in socket:
            pass

    for socket in sockets:
        threading.Thread(target=drain, args=(socket,), daemon=True).start()
    stop.wait()
    for socket in sockets:
        socket.close()


def main() -> None:
    """Print both figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--watchers", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=15.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder), FrameReader()) as served:
        with sync_playwright() as playwright:
            browser = launch(playwright)
            page = browser.new_page(viewport=LAPTOP)  # type: ignore[arg-type]
            for stream in (True, False):
                pairs = frame_to_page(served, page, args.rounds, stream=stream)
                times, used = sorted(t for t, _ in pairs), [u for _, u in pairs]
                print("streamed" if stream else "posted", "frame sent to play drawn:", end=" ")
                print(f"median {statistics.median(times):.0f} ms, best {times[0]:.0f},", end=" ")
                print(f"worst {times[-1]:.0f} ({len(times)} plays);", end=" ")
                print(f"the server computes {statistics.median(used):.0f} ms of it")
            browser.close()
        without, with_them = watchers_cost(served, args.watchers, args.seconds)
        print(f"server alone {100 * without:.1f} % of a core,", end=" ")
        print(f"with {args.watchers} watchers {100 * with_them:.1f} %,", end=" ")
        print(f"so they cost {100 * (with_them - without):.1f} %")


if __name__ == "__main__":
    main()
