"""Where events go: to a real HTTP server that fails at times, to files, to pipes that close."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kibitz.app.cli.serving.serve import command, make_hooks
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.limits import RetryRule
from kibitz.app.server.outlets.delivery import (
    SECRET_NAME,
    GaveUpError,
    OutletRule,
    QueuedOutlet,
    Webhook,
    lines_to,
    read_secret,
    signature,
)
from tests.app.hall.hall_help import until
from tests.app.server_help import RunningServer

ROOT = Path(__file__).resolve().parents[4]
SECRET = b"0123456789abcdef-secret"
FAST = OutletRule(retry=RetryRule(0.001, 0.002), answer_s=60, tries=4, closing_s=60)


class Receiver:
    """A web server that answers with these statuses in turn, then with 204."""

    def __init__(self, *statuses: int, before=lambda: None) -> None:
        self.got: list[tuple[dict, bytes]] = []
        left = list(statuses)
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                before()
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((dict(self.headers), body))
                status = left.pop(0) if left else 204
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", f"{receiver.address}/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def events(self) -> list[str]:
        """The names of the events that came, in order."""
        return [json.loads(body)["id"] for _, body in self.got]


def event(number: int, **more) -> dict:
    return {"event": "play", "id": f"run-{number}", "at": 1.5, "table": "t", **more}


def sent(receiver: Receiver, *events: dict, rule: OutletRule = FAST, path: str = "/hook") -> None:
    """Send events, and wait until all arrived or were given up."""
    hook = Webhook(receiver.address + path, SECRET, rule)
    for one in events:
        hook.put(one)
    hook._queue.close()  # as at the end of a server, but with the pauses between tries
    hook.close()


def test_an_event_is_posted_and_signed():
    """The body is the event; the header is what anybody with the secret computes from it."""
    with Receiver() as receiver:
        sent(receiver, event(1, player="Żaneta"), path="/hook?key=1")
    ((headers, body),) = receiver.got

    assert event(1, player="Żaneta") == json.loads(body)
    assert (
        f"sha256={hmac.digest(SECRET, body, hashlib.sha256).hex()}"
        == (headers["X-Kibitz-Signature"])
    )
    assert ("play", "run-1", "application/json") == tuple(
        headers[k] for k in ("X-Kibitz-Event", "X-Kibitz-Id", "Content-Type")
    )


def test_the_signature_is_the_one_of_the_standard():
    """Test case 2 of RFC 4231."""
    known = "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"

    assert known == signature(b"Jefe", b"what do ya want for nothing?")


def test_user_and_password_go_into_a_header():
    """They are not part of the address that is asked for."""
    with Receiver() as receiver:
        hook = Webhook(receiver.address.replace("//", "//ann:p%40ss@") + "/x", SECRET, FAST)
        hook.put(event(1))
        hook.close()
    ((headers, _),) = receiver.got

    assert "Basic YW5uOnBAc3M=" == headers["Authorization"]


def test_what_fails_is_sent_again_in_order():
    """A server that is busy gets each event until it takes it, and the next one after it."""
    with Receiver(500, 503, 204, 429) as receiver:
        sent(receiver, event(1), event(2), event(3))

    assert ["run-1", "run-1", "run-1", "run-2", "run-2", "run-3"] == receiver.events()


@pytest.mark.parametrize("status", [302, 400, 401, 404, 410])
def test_what_is_refused_is_not_sent_again(status):
    """After the next event that is taken it is said how many are missing; no redirect is followed."""
    with Receiver(status) as receiver:
        sent(receiver, event(1), event(2))
    last = json.loads(receiver.got[2][1])

    assert ["run-1", "run-2", "run-2-lost-1"] == receiver.events()
    assert ("lost", 1) == (last["event"], last["count"])


def test_who_refuses_everything_is_asked_once_for_each_event():
    """That events were given up is not told to who takes none; what waits is tried in its turn."""
    with Receiver(*[404] * 50) as receiver:
        sent(receiver, *(event(number) for number in range(1, 6)))

    assert [f"run-{number}" for number in range(1, 6)] == receiver.events()


def test_a_loss_that_is_refused_is_told_after_the_next_event():
    """With the number of all that are missing, and pauses that grow until something is taken."""
    waited = []
    with Receiver(404, 404, 204, 404, 404, 204) as receiver:
        hook = Webhook(receiver.address, SECRET, replace(FAST, retry=RetryRule(1, 30)))
        hook._queue._more.wait_for = lambda _, seconds: waited.append(seconds)
        for number in range(1, 6):
            hook.put(event(number))
        assert until(lambda: len(receiver.got) == 7)
        hook.close()
    counts = [json.loads(body).get("count") for _, body in receiver.got]

    assert ["run-1", "run-2", "run-3", "run-3-lost-1", "run-4", "run-5", "run-5-lost-2"] == (
        receiver.events()
    )
    assert [None, None, None, 2, None, None, 3] == counts
    assert [1, 2, 1, 2] == waited


def test_an_event_is_given_up_after_so_many_tries():
    """A server that fails for good costs each event its tries, and no more."""
    with Receiver(*[500] * 4) as receiver:
        sent(receiver, event(1), event(2))

    assert ["run-1"] * 4 + ["run-2", "run-2-lost-1"] == receiver.events()


class Waits:
    """Stands for the end of a server that never comes; keeps how long it was waited for."""

    def __init__(self) -> None:
        self.waited: list[float] = []

    def wait(self, seconds: float) -> None:
        """Wait for nothing."""
        self.waited.append(seconds)

    def is_set(self) -> bool:
        """The server goes on."""
        return False

    def set(self) -> None:
        """It would end now."""


def test_pauses_grow_up_to_half_a_minute():
    """Seconds between the tries of one event, as the page about events says."""
    with Receiver(*[500] * 8) as receiver:
        hook = Webhook(receiver.address, SECRET)
        hook._ends = Waits()
        hook.put(event(1))
        while not hook._queue._lost:
            hook._queue._thread.join(0.01)
        hook.close()

    assert [1, 2, 4, 8, 16, 30, 30] == hook._ends.waited
    assert ["run-1"] * 8 == receiver.events()


def test_nobody_waits_for_a_slow_receiver():
    """While the other end holds an event, others are taken; the oldest of too many are lost."""
    asked, go = threading.Event(), threading.Event()

    def hold():
        asked.set()
        go.wait(60)

    rule = OutletRule(most_waiting=3, answer_s=60, closing_s=60)
    with Receiver(before=hold) as receiver:
        hook = Webhook(receiver.address, SECRET, rule)
        hook.put(event(0))
        asked.wait(60)
        for number in range(1, 11):
            hook.put(event(number))
        go.set()
        hook.close()
    counts = [json.loads(b).get("count") for _, b in receiver.got]

    assert ["run-0", "run-0-lost-1", "run-8", "run-9", "run-10"] == receiver.events()
    assert [None, 7, None, None, None] == counts


def test_a_server_that_ends_does_not_wait_for_the_next_try():
    """A receiver that is away holds up nothing: the pause before another try ends at once."""
    with Receiver() as receiver:
        away = receiver.address
    rule = OutletRule(retry=RetryRule(3600, 3600), closing_s=60)
    hook = Webhook(away, SECRET, rule)
    hook.put(event(1))
    hook.close()

    assert not hook._queue._thread.is_alive()


def test_trouble_is_told_without_secrets(capsys):
    """Neither the secret nor path, user and password of the address are written."""
    with Receiver(500, 404) as receiver:
        sent(receiver, event(1), path="/T0KEN?key=HIDDEN")
    hook = Webhook(receiver.address.replace("//", "//ann:PASS@") + "/T0KEN", SECRET, FAST)
    hook.put(event(2))
    hook.close()
    told = capsys.readouterr().err

    assert f"webhook {receiver.address}: answers 500; it is tried again" in told
    assert f"webhook {receiver.address}: answers 404; an event was given up" in told
    assert f"webhook {receiver.address}: cannot be reached" in told
    assert [] == [x for x in ("T0KEN", "HIDDEN", "PASS", SECRET.decode()) if x in told]


@pytest.mark.parametrize(
    "url", ["ftp://host/x", "host/x", "http://", "http:///x", "https://höst/x", "http://a/b c", ""]
)
def test_what_is_no_address_is_refused(url):
    """Before the server starts, in words."""
    with pytest.raises(UsageError) as wrong:
        Webhook(url, SECRET)

    assert str(wrong.value).startswith("--webhook: ")


def test_the_secret_comes_from_a_file_or_the_environment(tmp_path, monkeypatch):
    """The file goes first; the end of its line does not count."""
    file = tmp_path / "secret"
    file.write_bytes(SECRET + b"\r\n")
    monkeypatch.setenv("KIBITZ_WEBHOOK_SECRET", "another-secret-of-23-b")

    assert SECRET == read_secret(file)
    assert b"another-secret-of-23-b" == read_secret(None)


@pytest.mark.parametrize(
    ("urls", "text", "says"),
    [
        (("http://a/",), None, "--webhook needs a secret that its calls are signed with"),
        (("http://a/",), "hush!", "expected a secret of 16 to 4096 bytes, got 5"),
        (("http://a/",), "x" * 5000, "expected at most 4096 bytes, got more"),
        ((), "x" * 16, "for which call? add --webhook URL"),
    ],
)
def test_a_missing_or_short_secret_is_told(tmp_path, monkeypatch, urls, text, says):
    """What is wrong with it, never what it is."""
    monkeypatch.delenv("KIBITZ_WEBHOOK_SECRET", raising=False)
    file = tmp_path / "secret"
    if text is not None:
        file.write_text(text)
    with pytest.raises(UsageError) as wrong:
        make_hooks(urls, file if text is not None else None)

    assert says in str(wrong.value)
    assert text is None or text not in str(wrong.value)


def test_a_secret_file_that_is_not_there(tmp_path):
    """It is told by its name."""
    with pytest.raises(UsageError, match=r"cannot read .*none: No such file"):
        read_secret(tmp_path / "none")


def test_lines_are_added_to_a_file(tmp_path):
    """One JSON object a line after what was there, in a file for its owner's eyes."""
    path = tmp_path / "events.jsonl"
    for numbers in ((1, 2), (3,)):
        out = lines_to(str(path))
        for number in numbers:
            out.put(event(number, said="a\u2028b\n"))
        out.close()
    lines = path.read_bytes().split(b"\n")

    assert [event(n, said="a\u2028b\n") for n in (1, 2, 3)] == [json.loads(x) for x in lines[:-1]]
    assert os.name == "nt" or path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    """Before any table is opened."""
    (tmp_path / "data").mkdir()
    with pytest.raises(CommandError) as wrong:
        command(port=0, data=str(tmp_path / "data"), events=str(tmp_path))

    assert f"--events: cannot write {tmp_path}: " in str(wrong.value)


def test_a_pipe_that_nobody_reads_is_let_go():
    """The first event that nobody takes is the last that is tried."""
    tried = []

    def deliver(line, _event, _id):
        tried.append(json.loads(line)["id"])
        raise EOFError("gone")

    out = QueuedOutlet(deliver, FAST)
    out.put(event(1))
    out._thread.join(60)
    out.put(event(2))
    out.close()

    assert ["run-1"] == tried


def test_what_could_not_be_written_is_counted_once():
    """An event that tells of lost ones and is lost itself loses none of their number."""
    told = []
    bad = iter([True, False, True, False, False])

    def deliver(line, _event, _id):
        if next(bad, False):
            raise GaveUpError("full")
        told.append(json.loads(line))

    out = QueuedOutlet(deliver, FAST)
    for number in (1, 2, 3):
        out.put(event(number))
    out.close()

    assert [("play", None), ("play", None), ("lost", 1)] == [
        (e["event"], e.get("count")) for e in told
    ]


@pytest.mark.slow
def test_a_real_server_writes_events_and_nothing_else(tmp_path):
    """Each line of standard output is an event, and each is posted; links go to standard error."""
    receiver = Receiver()
    hooks = ["--events", "-", "--webhook", f"{receiver.address}/T0KEN"]
    with RunningServer(
        tmp_path, *hooks, links="stderr", **{SECRET_NAME: SECRET.decode()}
    ) as server:
        server.pass_turn()
        out, log = server.stop()
    with receiver:
        told = [json.loads(line) for line in out.splitlines()]

    assert ["table", "action", "said"] == [event["event"] for event in told]
    assert told == [json.loads(body) for _, body in receiver.got]
    assert [h["X-Kibitz-Signature"] for h, _ in receiver.got] == [
        signature(SECRET, body) for _, body in receiver.got
    ]
    assert [] == [x for x in (server.token, SECRET.decode(), "T0KEN") if x in out or x in log]
