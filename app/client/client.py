"""Client of a running server: set up tables, act, show photographs, follow events."""

from __future__ import annotations

import json
import secrets
import ssl
import time
import urllib.parse
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from kibitz.app.common.errors import NO_ENTRY, CommandError, KibitzError, UsageError
from kibitz.app.common.limits import LIMITS, RETRY, WAITS
from kibitz.app.wire.answers import Acted, Games, NewTable, Refused, Tables
from kibitz.app.wire.events import STANDING, Anything, Known, differences, question_key
from kibitz.app.wire.shape import Shape
from kibitz.app.wire.tables import Question, Shown, TableView

try:
    import httpx
    from websockets.exceptions import ConnectionClosed, WebSocketException
    from websockets.sync.client import connect
except ImportError as error:
    raise CommandError(
        "a client needs httpx and websockets: pip install 'kibitz[client]'"
    ) from error

R = TypeVar("R", bound=Shape)
PICTURES: Final = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG": "image/png", b"RIFF": "image/webp"}
"""First bytes of the kinds of pictures that are taken."""
EVENT: Final[TypeAdapter[Anything]] = TypeAdapter(Anything)


@dataclass(frozen=True, slots=True)
class ConnectionRules:
    """Timeouts and retries of a client.

    Attributes:
        tries: so often a call is made that may be made again.
        answer: seconds until a call is answered.
        first_pause: seconds before a broken link is made again; each failure doubles it.
        longest_pause: the server counts as away before the pause grows to more.
        largest_message: a message of a table with more bytes is not taken.
    """

    tries: int = 3
    answer: float = WAITS.answer_s
    first_pause: float = RETRY.first_s
    longest_pause: float = RETRY.longest_s
    largest_message: int = LIMITS.read_bytes

    def pauses(self) -> Iterator[float]:
        """Seconds to wait before each new try of a broken link; after the last it fails."""
        pause = self.first_pause
        while pause <= self.longest_pause:
            yield pause
            pause *= 2


RULES: Final = ConnectionRules()


class ServerRefused(KibitzError):
    """The server refused the call.

    Attributes:
        status: its answer's status, as 403.
        code: a stable name of the error.
        message: what was expected, what came, what to do.
        squares: the squares it is about.
    """

    def __init__(
        self, status: int, code: str, message: str, squares: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.squares = squares


class ServerAway(KibitzError):
    """The server cannot be reached, or the answer is not from Kibitz."""


@dataclass(frozen=True, slots=True)
class Call:
    """One HTTP call of the server, named as in its OpenAPI description.

    Attributes:
        method: `GET`, `POST` ...
        path: with `{table_id}` for the table's name.
        answer: what its JSON becomes; None for another kind of answer.
        fields: those of its body that the client may send.
        parameters: those of its address that the client may send.
    """

    method: str
    path: str
    answer: type[Shape] | None = None
    fields: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()


CALLS: Final = {
    "games": Call("GET", "/api/games", Games),
    "tables": Call("GET", "/api/tables", Tables, parameters=("limit", "search", "away")),
    "create": Call(
        "POST",
        "/api/tables",
        NewTable,
        fields=("game", "players", "settings", "tiles", "lexicon", "initial", "language"),
    ),
    "delete": Call("DELETE", "/api/tables/{table_id}"),
    "view": Call("GET", "/api/tables/{table_id}", TableView),
    "act": Call("POST", "/api/tables/{table_id}/actions", Acted, fields=("action", "player")),
    "show": Call("POST", "/api/tables/{table_id}/frames", Shown),
    "record": Call("GET", "/api/tables/{table_id}/record", parameters=("format",)),
    "picture": Call("GET", "/api/tables/{table_id}/frame.jpg", parameters=("overlay",)),
}
"""Every call that the client makes."""


def read_event(line: str | bytes) -> Anything:
    """Parse an event from `kibitz serve --events`, a webhook or an MQTT message.

    Raises:
        UsageError: it is none.
    """
    try:
        return EVENT.validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the line"
        raise UsageError(f"expected an event as JSON; {place}: {first['msg']}") from error


class Client:
    """A connection to a server.

        with Client("http://127.0.0.1:8000") as server:
            made = server.create("scrabble", ["Ann", "Bob"])
            table = server.table(made.table, made.host_token)
            print(table.view().scores)

    Args:
        address: where it is, `http://…` or `https://…`.
        key: the server's key, which it prints when it starts; not needed on its own machine.
        authority: a file with the certificate that a server with `--https` is trusted by.
        rules: how long the server is waited for.

    Raises:
        UsageError: the address or the file is none.
    """

    def __init__(
        self,
        address: str,
        key: str | None = None,
        authority: str | Path | None = None,
        *,
        rules: ConnectionRules = RULES,
    ) -> None:
        parts = urllib.parse.urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError("address: expected http://HOST:PORT or https://HOST:PORT")
        self.address = f"{parts.scheme}://{parts.netloc}"
        self._trust = ssl.create_default_context()
        if authority is not None:
            try:
                self._trust.load_verify_locations(authority)
            except OSError as error:  # what is no certificate is an SSLError, which is one
                raise UsageError(f"authority: {authority} holds no certificate") from error
        self._key = key
        self._rules = rules
        self._calls = httpx.Client(base_url=self.address, timeout=rules.answer, verify=self._trust)

    def __enter__(self) -> Client:
        """Return the client; nothing is sent yet."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close the connections."""
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._calls.close()

    def games(self) -> Games:
        """The games that can be set up, with their settings."""
        return self._result(Games, "games")

    def tables(self, search: str = "", limit: int = 200, *, away: bool = True) -> Tables:
        """The server's tables, newest first; only for its host.

        Args:
            search: words that must all stand in a table's name, its players or its game.
            limit: how many at most.
            away: also those that were put away.
        """
        asked = {"search": search, "limit": limit, "away": away}
        return self._result(Tables, "tables", parameters=asked)

    def create(
        self,
        game: str,
        players: list[str] | tuple[str, ...],
        settings: Mapping[str, Any] | None = None,
        *,
        tiles: str = "en",
        lexicon: str = "default",
        initial: Mapping[str, Any] | None = None,
        language: str | None = None,
    ) -> NewTable:
        """Set up a table; only for the server's host.

        Args:
            game: as `scrabble`; `games` lists them.
            players: names, in seating order.
            settings: those that are not as usual.
            tiles: a tile set of the server.
            lexicon: a word list of the server.
            initial: a position to begin from.
            language: the table's language; else the server's.
        """
        order = {
            "game": game,
            "players": list(players),
            "settings": dict(settings or {}),
            "tiles": tiles,
            "lexicon": lexicon,
            "initial": None if initial is None else dict(initial),
            "language": language,
        }
        return self._result(NewTable, "create", body=order)

    def table(self, table: str, token: str) -> TableClient:
        """A client for one table with a token's rights; nothing is sent yet."""
        return TableClient(self, table, token)

    def delete(self, table: str) -> None:
        """Delete a table and all that is kept of it; only for the server's host."""
        self.answer("delete", table=table)

    def _result(self, kind: type[R], name: str, **more: Any) -> R:
        return read_result(kind, self.answer(name, **more))

    def answer(
        self,
        name: str,
        *,
        table: str = "",
        token: str | None = None,
        body: Mapping[str, Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Make one of `CALLS` and return the answer's JSON.

        Raises:
            ServerRefused: the server does not do it.
            ServerAway: the server cannot be reached.
        """
        call = CALLS[name]
        sent = dict(headers or {})
        if (token or self._key) is not None:
            sent["Authorization"] = f"Bearer {token or self._key}"
        request = self._calls.build_request(
            call.method,
            call.path.replace("{table_id}", urllib.parse.quote(table, safe="")),
            params=None if parameters is None else dict(parameters),
            json=None if body is None else dict(body),
            content=content,
            headers=sent,
        )
        # a call that changes something is made again only if it says that it is the same one
        again = call.method == "GET" or "Idempotency-Key" in sent
        answer = self._send(request, self._rules.tries if again else 1)
        if answer.is_success:
            return answer
        raise _refusal(answer)

    def _send(self, request: httpx.Request, tries: int) -> httpx.Response:
        while True:
            tries -= 1
            try:
                return self._calls.send(request)
            except httpx.TransportError as error:
                if not tries:
                    raise ServerAway(f"{self.address} cannot be reached: {error}") from error

    def live(self, table: str, token: str) -> Iterator[dict[str, Any]]:
        """Yield the messages that a table's page gets, until the link ends.

        Raises:
            ServerRefused: the token does not open the table.
            ServerAway: the server cannot be reached, or does not come back.
        """
        place = urllib.parse.quote(table, safe="")
        address = f"ws{self.address.removeprefix('http')}/api/tables/{place}/live"
        trust = self._trust if address.startswith("wss") else None
        entered, pauses = False, self._rules.pauses()
        while True:
            problem: Exception | None = None
            try:
                with connect(
                    f"{address}?token={urllib.parse.quote(token, safe='')}",
                    ssl=trust,
                    max_size=self._rules.largest_message,
                ) as socket:
                    for message in socket:
                        entered, pauses = True, self._rules.pauses()
                        yield json.loads(message)
            except ConnectionClosed as error:
                said = error.rcvd
                if said is not None and said.code == NO_ENTRY:
                    if entered:
                        return
                    raise ServerRefused(404, "not_found", said.reason) from error
                problem = error
            except (OSError, WebSocketException) as error:
                problem = error
                if not entered:
                    pauses = iter(())
            pause = next(pauses, None)
            if pause is None:
                # the address holds the token: what a library says of it is not passed on
                raise ServerAway(f"{self.address} cannot be reached") from problem
            time.sleep(pause)


class TableClient:
    """One table of a server, with the rights of a token.

    Args:
        server: the server.
        table: the table's name.
        token: of its host, a seat, its camera or its watchers.
    """

    def __init__(self, server: Client, table: str, token: str) -> None:
        self._server = server
        self.table = table
        self._token = token

    def view(self) -> TableView:
        """The table as this token may see it."""
        return read_result(TableView, self._answer("view"))

    def act(
        self, action: str, player: str | None = None, *, key: str | None = None, **fields: Any
    ) -> Acted | Refused:
        """Act at the table.

            table.act("place", "Ann", tiles={"H7": "A", "H8": "T"})

        Args:
            action: its name, as in a scenario file.
            player: who does it; None where nobody in particular does.
            key: a text of your own for this one action: sent again with it, it is done once.
            fields: what belongs to the action.

        Returns:
            What followed; or, where the rules do not allow it, why: that is false, and nothing
            changed.

        Raises:
            ServerRefused: the call itself is wrong, or the token may not do this.
            ServerAway: the server cannot be reached, whether the action was done or not.
        """
        body = {**fields, "action": action, **({} if player is None else {"player": player})}
        headers = {"Idempotency-Key": key or uuid.uuid4().hex}
        try:
            return read_result(Acted, self._answer("act", body=body, headers=headers))
        except ServerRefused as error:
            if error.status != httpx.codes.CONFLICT:
                raise
            return Refused(code=error.code, message=error.message, squares=error.squares)

    def undo(self) -> Acted | Refused:
        """Undo the last step."""
        return self.act("undo")

    def redo(self) -> Acted | Refused:
        """Redo the step that was undone."""
        return self.act("redo")

    def answer(self, question: Question, value: str) -> Acted | Refused:
        """Answer an open question of the table."""
        about: dict[str, Any] = {"square": question.square, "photo": question.photo}
        given = {k: v for k, v in about.items() if v is not None}
        return self.act("answer", field=question.field, value=value, **given)

    def show(self, picture: str | Path | bytes) -> Shown:
        """Show a photograph of the table; for its host and its camera.

        Args:
            picture: a JPEG, PNG or WebP file, or its bytes.

        Raises:
            UsageError: it is no such file.
            ServerRefused: it cannot be read, or the token may not do this.
        """
        data = picture if isinstance(picture, bytes) else _bytes_of(Path(picture))
        kind = next((k for start, k in PICTURES.items() if data.startswith(start)), None)
        if kind is None:
            raise UsageError("picture: expected a JPEG, PNG or WebP file")
        headers = {"Content-Type": kind}
        return read_result(Shown, self._answer("show", content=data, headers=headers))

    def picture(self, *, overlay: bool = False) -> bytes:
        """The camera's newest picture as JPEG, for those who may see pictures.

        Args:
            overlay: with the reading drawn on it.
        """
        return self._answer("picture", parameters={"overlay": overlay}).content

    def record(self, form: str = "json") -> str:
        """Export the whole game as `json`, `csv`, `gcg` or `html`."""
        return self._answer("record", parameters={"format": form}).text

    def views(self) -> Iterator[TableView]:
        """Yield the table as it stands, and again after every change.

        It ends when the link ends or the table is deleted. A connection that breaks is made again.

        Raises:
            ServerRefused: the token does not open the table.
            ServerAway: the server cannot be reached, or does not come back.
        """
        for state in self._states():
            yield read_view(state)

    def events(self) -> Iterator[Anything]:
        """Yield the table's events, beginning with its state (a `TableMet`).

        They are the events of `kibitz serve --events`, as the caller may know them; of the
        cameras, the first is told of. What happens while the connection is broken is told when
        it is there again.

        Raises:
            ServerRefused: the token does not open the table.
            ServerAway: the server cannot be reached, or does not come back.
        """
        run, count = secrets.token_hex(4), 0
        before: Known | None = None
        said_to, game = 0, ""
        for state in self._states():
            now, game = _known(state), state["game"]
            happened: list[Mapping[str, Any]] = []
            if before is None:
                happened.append(
                    {
                        "event": "table",
                        "title": state["title"],
                        "players": state["players"],
                        "entries": state["history"],
                        "over": state["over"],
                    }
                )
                before = Known(now.game, now.seq, now.entries, over=now.over)
                said_to = now.seq
            said = [x for a in state["said"] if a["seq"] > said_to for x in a["lines"]]
            happened += differences(before, now, said)
            before, said_to = now, now.seq
            for event in happened:
                count += 1
                yield EVENT.validate_python(self._named(event, f"{run}-{count}", game, now.seq))
        if before is not None:
            gone = {"event": "table_gone"}
            yield EVENT.validate_python(self._named(gone, f"{run}-gone", game, before.seq))

    def _named(self, event: Mapping[str, Any], name: str, game: str, seq: int) -> dict[str, Any]:
        at = round(time.time(), 3)
        return {**event, "id": name, "at": at, "table": self.table, "game": game, "seq": seq}

    def _states(self) -> Iterator[dict[str, Any]]:
        """Yield the table's whole document, after every change."""
        state: dict[str, Any] = {}
        for message in self._server.live(self.table, self._token):
            kind = message.pop("type", None)
            if kind == "state":
                state = message
            elif kind == "camera" and state:
                state = {**state, **message}
            else:
                continue
            yield state

    def _answer(self, name: str, **more: Any) -> httpx.Response:
        return self._server.answer(name, table=self.table, token=self._token, **more)


def _bytes_of(picture: Path) -> bytes:
    try:
        return picture.read_bytes()
    except OSError as error:
        why = error.strerror or error
        raise UsageError(f"picture: {picture} cannot be read: {why}") from error


def read_view(state: Mapping[str, Any]) -> TableView:
    """A table's view from its JSON document.

    Raises:
        ServerAway: it is none.
    """
    try:
        return TableView.model_validate(state)
    except ValidationError as error:
        raise _strange(error) from error


def read_result(kind: type[R], answer: httpx.Response) -> R:
    """The result of a call from its JSON answer.

    Raises:
        ServerAway: what answers is no Kibitz, or a much older or newer one.
    """
    try:
        return kind.model_validate_json(answer.content)
    except ValidationError as error:
        raise _strange(error) from error


def _strange(error: ValidationError) -> ServerAway:
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"])) or "the answer"
    return ServerAway(
        f"the answer is not one of a Kibitz of this version; {place}: {first['msg']}"
    )


def _refusal(answer: httpx.Response) -> KibitzError:
    try:
        error = answer.json()["error"]
        squares = tuple(error.get("squares") or ())
        return ServerRefused(answer.status_code, error["code"], error["message"], squares)
    except (ValueError, KeyError, TypeError, AttributeError):
        return ServerAway(f"what answers is no Kibitz: status {answer.status_code}")


def _known(state: Mapping[str, Any]) -> Known:
    """A table's facts from its JSON document."""
    view = state["view"]
    trouble = (state["camera"] or {}).get("error")
    known = Known(
        state["game"],
        state["seq"],
        tuple(state["history"]),
        {question_key(q): q for q in state["questions"]},
        tasks={repr(sorted(task.items())): task for task in state["tasks"]},
        troubles={n["code"]: n["message"] for n in state["notices"]},
        over=state["over"],
        standing={k: view[k] for k in STANDING if view.get(k) is not None},
    )
    if not trouble:
        return known
    return replace(known, cameras={1: (trouble["code"], trouble["message"])})
