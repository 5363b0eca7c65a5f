"""Delivers events: JSON lines to a file or pipe, and signed webhooks."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import threading
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

from kibitz.app.common.addresses import Address, parse_address
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.files import keep_private, named_path
from kibitz.app.common.limits import RETRY, WAITS, RetryRule
from kibitz.app.common.terminal import RepeatLimiter, print_result, shown

SIGNATURE: Final = "X-Kibitz-Signature"
SECRET_NAME: Final = "KIBITZ_WEBHOOK_SECRET"
STDOUT: Final = "-"
_TRY_AGAIN = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)


@dataclass(frozen=True, slots=True)
class OutletRule:
    """Limits of waiting events, and of tries to deliver them.

    Attributes:
        most_waiting: events that wait for one listener; then the oldest are given up.
        answer_s: that a webhook may take.
        tries: for one event; then it is given up.
        closing_s: for what still waits when the server ends.
        shortest_secret: bytes that a secret must have.
        longest_secret: bytes that it may have.
        retry: the pauses between tries.
    """

    most_waiting: int = 1000
    answer_s: float = WAITS.answer_s
    tries: int = 8
    closing_s: float = WAITS.soon_s
    shortest_secret: int = 16
    longest_secret: int = 4096
    retry: RetryRule = RETRY


RULE: Final = OutletRule()


class GaveUpError(Exception):
    """An event cannot be delivered; the message says why."""


class QueuedOutlet:
    """Delivers events in order in its own thread; adding one never blocks.

    How many were given up is told once the next one was delivered: who takes nothing is told
    nothing of it, and is asked less and less often.

    Args:
        deliver: writes or sends one event; GaveUpError says that this one is lost, EOFError that
            nobody will ever take another.
        rule: how many events may wait.
        at_end: called when nothing more will be delivered.
    """

    def __init__(
        self,
        deliver: Callable[[bytes, str, str], None],
        rule: OutletRule = RULE,
        at_end: Callable[[], None] = lambda: None,
    ) -> None:
        self._deliver = deliver
        self._at_end = at_end
        self._rule = rule
        self._sparing = RepeatLimiter()
        self._waiting: deque[Mapping[str, Any]] = deque()
        self._lost = 0
        self._losses = 0
        self._taken: str | None = None
        self._more = threading.Condition()
        self._closing = False
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="outlet", daemon=True)
        self._thread.start()

    def put(self, event: Mapping[str, Any], *_known: object) -> None:
        """Add an event; if too many wait, the oldest is dropped."""
        with self._more:
            if self._ended:
                return
            if len(self._waiting) >= self._rule.most_waiting:
                self._waiting.popleft()
                self._lost += 1
            self._waiting.append(event)
            self._more.notify()

    def close(self) -> None:
        """Deliver waiting events for a short while, then stop."""
        with self._more:
            self._closing = True
            self._more.notify()
        self._thread.join(self._rule.closing_s)
        with self._more:
            self._ended = True

    def _run(self) -> None:
        self._deliver_all()
        self._at_end()

    def _deliver_all(self) -> None:
        pause = self._rule.retry.first_s
        while (event := self._next()) is not None:
            line = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
            try:
                self._deliver(
                    line.encode("utf-8", "replace"), str(event["event"]), str(event["id"])
                )
            except GaveUpError as error:
                self._sparing.tell(str(error))
                with self._more:
                    self._lost += 1 if event["event"] != "lost" else int(event["count"])
                    self._taken = None
                    self._more.wait_for(lambda: self._closing, pause)
                pause = self._rule.retry.after(pause)
            except EOFError as error:
                self._sparing.tell(str(error))
                with self._more:
                    self._ended = True
                    self._waiting.clear()
                return
            else:
                self._taken = str(event["id"]) if event["event"] != "lost" else None
                pause = self._rule.retry.first_s

    def _next(self) -> Mapping[str, Any] | None:
        """The next event, or a count of dropped ones; None at the end."""
        with self._more:
            if self._lost and self._taken is not None:
                count, self._lost = self._lost, 0
                self._losses += 1
                name = f"{self._taken}-lost-{self._losses}"
                return {"event": "lost", "id": name, "at": round(time.time(), 3), "count": count}
            while not (self._waiting or self._closing):
                self._more.wait()
            return self._waiting.popleft() if self._waiting else None


def lines_to(place: str, rule: OutletRule = RULE) -> QueuedOutlet:
    """An outlet that writes one JSON line an event.

    Args:
        place: a file that lines are added to, or `-` for standard output.
        rule: how many events may wait for a slow reader.

    Raises:
        CommandError: the file cannot be written.
    """
    if place == STDOUT:
        return QueuedOutlet(_print_line, rule)
    path = named_path(place)
    try:
        keep_private(path, make=True)
        file = path.open("ab", buffering=0)
    except OSError as error:
        raise CommandError(f"--events: cannot write {shown(path)}: {error.strerror}") from error

    def write(line: bytes, _event: str, _id: str) -> None:
        try:
            file.write(line + b"\n")
        except BrokenPipeError as error:
            raise EOFError(f"nobody reads the events in {path} any more") from error
        except OSError as error:
            raise GaveUpError(f"events cannot be written to {path}: {error.strerror}") from error

    return QueuedOutlet(write, rule, file.close)


def _print_line(line: bytes, _event: str, _id: str) -> None:
    try:
        print_result(line.decode())
    except BrokenPipeError as error:
        raise EOFError("nobody reads the events on standard output any more") from error
    except OSError as error:
        raise GaveUpError(f"events cannot be written: {error.strerror}") from error


def read_private(
    file: Path | None, option: str, name: str, rule: OutletRule = RULE
) -> bytes | None:
    """A secret from a file, else from the environment.

    Args:
        file: where it stands; the end of the last line does not belong to it.
        option: how the file is named on the command line.
        name: how it is called in the environment.
        rule: how long it may be.

    Returns:
        None where neither is given.

    Raises:
        UsageError: the file cannot be read, or holds more. Its content is never repeated.
    """
    if file is None:
        given = os.environ.get(name)
        if given is None:
            return None
        secret, where = os.fsencode(given), name
    else:
        try:
            with file.open("rb") as opened:
                secret = opened.read(rule.longest_secret + 2)
        except OSError as error:
            why = error.strerror or "it cannot be read"
            raise UsageError(f"{option}: cannot read {shown(file)}: {why}") from error
        where = f"{option} {shown(file)}"
    secret = secret.rstrip(b"\r\n")
    if len(secret) > rule.longest_secret:
        raise UsageError(f"{where}: expected at most {rule.longest_secret} bytes, got more")
    return secret


def read_secret(file: Path | None, rule: OutletRule = RULE) -> bytes:
    """Secret that signs webhooks, from a file, else from the environment.

    Args:
        file: where it stands; the end of the last line does not belong to it.
        rule: how long it must be.

    Raises:
        UsageError: there is none, or it is too short or too long. It is never repeated.
    """
    secret = read_private(file, "--webhook-secret", SECRET_NAME, rule)
    if secret is None:
        raise UsageError(
            f"--webhook needs a secret that its calls are signed with: --webhook-secret FILE, "
            f"or {SECRET_NAME} in the environment"
        )
    if len(secret) < rule.shortest_secret:
        where = SECRET_NAME if file is None else f"--webhook-secret {shown(file)}"
        raise UsageError(
            f"{where}: expected a secret of {rule.shortest_secret} to {rule.longest_secret} "
            f"bytes, got {len(secret)}"
        )
    return secret


def signature(secret: bytes, body: bytes) -> str:
    """Header for the receiver to compare: HMAC-SHA256 of the body, in hexadecimal."""
    return "sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, so that events go nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        """Follow no redirect: the answer counts as a refusal."""


_OPENER = urllib.request.build_opener(_NoRedirect)


class Webhook:
    """Posts signed events to an address, one after the other.

    What does not arrive is tried again after 1, 2, 4 ... seconds; an address that refuses an
    event (a status from 300 on, except 408, 425, 429 and 500 to 599) is not asked again for it,
    and for the next one after as long a pause.

    Args:
        url: `http://…` or `https://…`; user and password in it go into a header of their own.
        secret: what the body is signed with.
        rule: how long and how often it is tried.

    Raises:
        UsageError: it is no such address.
    """

    def __init__(self, url: str, secret: bytes, rule: OutletRule = RULE) -> None:
        self._address = _checked_address(url)
        self._secret = secret
        self._rule = rule
        self._sparing = RepeatLimiter()
        self._ends = threading.Event()
        self._queue = QueuedOutlet(self._send, rule)

    def put(self, event: Mapping[str, Any], *_known: object) -> None:
        """Add an event."""
        self._queue.put(event)

    def close(self) -> None:
        """Send waiting events for a short while; a pause before a retry ends at once."""
        self._ends.set()
        self._queue.close()

    def _send(self, body: bytes, event: str, name: str) -> None:
        pause, left = self._rule.retry.first_s, self._rule.tries
        while (trouble := self._post(body, event, name)) is not None:
            said = f"webhook {self._address.where}: {trouble}"
            left -= 1
            if not left or self._ends.is_set():
                raise GaveUpError(f"{said}; an event was given up")
            self._sparing.tell(f"{said}; it is tried again")
            self._ends.wait(pause)
            pause = self._rule.retry.after(pause)

    def _post(self, body: bytes, event: str, name: str) -> str | None:
        """Why an event did not arrive and may be sent again; None if it did.

        Raises:
            GaveUpError: sending it again would not help.
        """
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Kibitz",
            "X-Kibitz-Event": event,
            "X-Kibitz-Id": name,
            SIGNATURE: signature(self._secret, body),
        }
        if self._address.basic is not None:
            headers["Authorization"] = self._address.basic
        # nothing that the other end or a library says is passed on: it may repeat the address
        try:
            request = urllib.request.Request(self._address.bare, body, headers, method="POST")
            with _OPENER.open(request, timeout=self._rule.answer_s):
                return None
        except urllib.error.HTTPError as error:
            error.close()
            status = error.code
        except TimeoutError:
            return "no answer in time"
        except (OSError, HTTPException, ValueError):
            return "cannot be reached"
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _TRY_AGAIN:
            return f"answers {status}"
        where = self._address.where
        raise GaveUpError(f"webhook {where}: answers {status}; an event was given up")


def _checked_address(url: str) -> Address:
    address = parse_address(url.strip())
    if address.scheme not in ("http", "https") or not address.host or not address.sure:
        got = address.where if "://" in url and address.sure and address.host else "another text"
        raise UsageError(f"--webhook: expected http://… or https://…, got {shown(got)}")
    if not url.isascii() or not url.strip().isprintable() or " " in url.strip():
        raise UsageError(
            "--webhook: write other letters and spaces in an address as %20 and so on"
        )
    return address
