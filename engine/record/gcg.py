"""Reads and writes Scrabble games as GCG, the plain text format of clubs (Poslfit, 2004).

Positions are the standard ones: `8H` lies across, `H8` down, columns lettered. A file that says
`#orientation lettered-rows` has them the other way round, which mirrors the board and changes no
score.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal, TypeAlias
from unicodedata import normalize

from kibitz.engine.board.notation import gcg_position, parse_gcg_position
from kibitz.engine.rules import TileSetLike
from kibitz.engine.table import UNKNOWN_BLANK, Axis, Grid, Square, Tile
from kibitz.engine.words.formed import words_formed

MoveKind = Literal["play", "withdrawn", "exchange", "pass", "bonus", "racks", "time", "penalty"]
TURNS: Final[tuple[MoveKind, ...]] = ("play", "exchange", "pass")
"""The kinds of lines that are somebody's turn."""
Pragma: TypeAlias = tuple[str, str]
"""The name and the rest of a line that begins with `#`; a line without a name has none."""


class GcgInvalid(ValueError):
    """The file is not valid GCG; `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


@dataclass(frozen=True, slots=True)
class GcgMove:
    """One line of a game.

    Attributes:
        player: the nick name.
        kind: what was done; `withdrawn` takes the player's last play off, `bonus` is points for
            a wrong challenge, `racks` an end rack won or lost, `time` a time penalty.
        rack: the letters held, as written.
        square, axis, word: for a play; the word as written, `.` or `(X)` for tiles played through.
        tiles: letters exchanged or left on a rack; for an exchange of unknown tiles their number.
        score, total: as annotated.
        note: a remark.
        after: what stands behind the total, as the other words that a play forms.
        pragmas: lines beside notes that follow it.
        line: where it stands, from 1.
    """

    player: str
    kind: MoveKind
    rack: str = ""
    square: Square | None = None
    axis: Axis = "across"
    word: str = ""
    tiles: str = ""
    score: int = 0
    total: int | None = None
    note: str = ""
    after: str = ""
    pragmas: tuple[Pragma, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class GcgGame:
    """A whole game: players as (nick, full name) in order, moves, and header lines."""

    players: tuple[tuple[str, str], ...]
    moves: tuple[GcgMove, ...]
    header: tuple[Pragma, ...] = ()


PRAGMA = re.compile(r"#(?:([A-Za-z0-9_-]+)(?:\s+|$))?(.*)")
MOVE = re.compile(r">\s*([^:]+):\s*(.*)")
SCORES = re.compile(r"\s\+?([+-]?\d+)\s+(-?\d+)\b(\s.*)?$")
POSITION = re.compile(r"(?:[A-Oa-o](?:1[0-5]|[1-9])|(?:1[0-5]|[1-9])[A-Oa-o])$")


def decode(data: bytes) -> str:
    """Decode a file's text: UTF-16, else its declared encoding, else UTF-8, else Latin-1."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    if 0 in data[:2]:  # a game begins with a plain sign
        return data.decode("utf-16-le" if data[0] else "utf-16-be", errors="replace")
    head = data[:400].decode("latin-1")
    named = re.search(r"#character-encoding\s+(\S+)", head, re.IGNORECASE)
    names = [named.group(1)] if named else []
    for name in (*names, "utf-8-sig", "latin-1"):
        try:
            text = data.decode(name)
        except (ValueError, LookupError):  # not these letters, or no such encoding
            continue
        if not named or "#character-encoding" in text.lower():  # else it is another one
            return text
    return data.decode("latin-1", errors="replace")


def read_gcg(data: bytes | str) -> GcgGame:
    """Parse a GCG file.

    Raises:
        GcgInvalid: a line is none; the message says what was expected.
    """
    text = decode(data) if isinstance(data, bytes) else data
    players: dict[str, tuple[str, str]] = {}
    header: list[tuple[str, str]] = []
    moves: list[GcgMove] = []
    for number, raw in enumerate(normalize("NFC", text.lstrip("\ufeff")).splitlines(), 1):
        line = raw.rstrip()
        if not line.strip():
            continue
        if found := PRAGMA.match(line):
            name, value = found.group(1) or "", found.group(2)
            _pragma(name.lower(), value.strip() if name else value, number, players, header, moves)
        elif line.lstrip().startswith(">"):
            moves.append(_move(line.strip(), number))
        elif moves:  # a remark goes on over several lines
            moves[-1] = replace(moves[-1], note=f"{moves[-1].note}\n{line.strip()}".strip())
        else:
            raise GcgInvalid(number, f"expected '#...' or '>player: ...', got {line[:40]!r}")
    moves = [replace(m, player=_nick_of(m.player, players.values())) for m in moves]
    named, moves = _with_unique_nicks(list(players.values()), moves)
    nicks = dict(named)
    for move in moves:
        if move.player not in nicks and len(players) > 1:
            known = ", ".join(nicks)
            raise GcgInvalid(move.line, f"expected one of {known}, got {move.player[:40]!r}")
        nicks.setdefault(move.player, move.player)
    named = list(nicks.items())
    if not named:
        raise GcgInvalid(1, "expected #player1 or a move, got neither; is this a GCG file?")
    return GcgGame(tuple(named), tuple(moves), tuple(header))


def _nick_of(name: str, players: Iterable[tuple[str, str]]) -> str:
    """The nick that a move's name stands for: of the player whose line alone begins with it."""
    nicks = [
        nick
        for nick, full in players
        if f"{nick} {full} ".casefold().startswith(f"{name} ".casefold())
    ]
    return nicks[0] if len(nicks) == 1 else name


def _with_unique_nicks(
    players: list[tuple[str, str]], moves: list[GcgMove]
) -> tuple[list[tuple[str, str]], list[GcgMove]]:
    """Players and moves with a 2 after the second player's nick where both nicks are alike."""
    if len(players) != 2 or players[0][0] != players[1][0]:
        return players, moves
    nicks = players[0][0], f"{players[1][0]}2"
    out, turn = [], -1
    for move in moves:
        turn += move.kind in TURNS
        out.append(replace(move, player=nicks[max(0, turn) % 2]))
    return [(nick, full) for nick, (_, full) in zip(nicks, players, strict=True)], out


def _pragma(
    name: str, value: str, number: int, players: dict[str, tuple[str, str]],
    header: list[tuple[str, str]], moves: list[GcgMove],
) -> None:  # fmt: skip
    if re.fullmatch(r"player\d", name):
        nick, *full = value.split(maxsplit=1) or [""]
        if not nick:
            raise GcgInvalid(number, f"expected '#{name} nick full name', got no nick")
        if name in players:
            raise GcgInvalid(number, f"expected one game a file, got #{name} a second time")
        players[name] = (nick, full[0] if full else nick)
    elif name == "note" and moves:
        note = f"{moves[-1].note}\n{value}".strip()
        moves[-1] = replace(moves[-1], note=note)
    elif name == "character-encoding":  # what is written is UTF-8, whatever was read
        return
    elif moves:
        moves[-1] = replace(moves[-1], pragmas=(*moves[-1].pragmas, (name, value)))
    else:
        header.append((name, value))


def _move(line: str, number: int) -> GcgMove:
    found = MOVE.match(line)
    if found is None:
        raise GcgInvalid(
            number, f"expected '>player: rack position word +score total', got {line[:60]!r}"
        )
    player, rest = found.group(1).strip(), found.group(2)
    numbers = SCORES.search(" " + rest)
    if numbers is None:
        raise GcgInvalid(number, f"expected '+score total' at the end, got {rest[-30:]!r}")
    score, total = int(numbers.group(1)), int(numbers.group(2))
    fields = (" " + rest)[: numbers.start()].split()
    after = (numbers.group(3) or "").strip()
    base = GcgMove(player, "pass", score=score, total=total, after=after, line=number)
    last = fields[-1] if fields else ""
    rack = fields[0] if len(fields) > 1 else ""
    if last.startswith("(") and last.endswith(")"):
        inner = last[1:-1]
        if inner.lower() == "challenge":
            return replace(base, kind="bonus", rack=rack)
        if inner.lower() == "time":
            return replace(base, kind="time", rack=rack)
        if len(fields) <= 2 and not (len(fields) > 1 and POSITION.match(fields[-2])):
            return replace(base, kind="racks", rack=rack, tiles=inner)
    if last == "--":
        return replace(base, kind="withdrawn", rack=rack)
    if last == "-":
        return replace(base, kind="pass", rack=rack)
    if last.startswith("-"):
        return replace(base, kind="exchange", rack=rack, tiles=last[1:])
    if len(fields) >= 2 and POSITION.match(fields[-2]):
        square, axis = parse_gcg_position(fields[-2])
        rack = fields[0] if len(fields) > 2 else ""
        return replace(base, kind="play", rack=rack, square=square, axis=axis, word=last)
    raise GcgInvalid(number, f"expected a position as 8H or H8 and a word, got {rest[:60]!r}")


def plain_word(word: str) -> list[tuple[str, bool]]:
    """Tiles of a word as written, each with whether it was on the board already."""
    out: list[tuple[str, bool]] = []
    inside = False
    for tile in re.findall(r"\[[^\]]*\]|.", word):
        if tile in "()":
            inside = tile == "("
        else:
            out.append((tile, inside or tile == "."))
    return out


def _with_tiles(move: GcgMove, how: Callable[[str], str]) -> GcgMove:
    """A move with its tiles rewritten by a function."""
    tiles = move.tiles if move.tiles.isdecimal() else how(move.tiles)
    return replace(move, word=how(move.word), rack=how(move.rack), tiles=tiles)


def in_signs(game: GcgGame, tile_set: TileSetLike) -> GcgGame:
    """The game with each tile of several letters as one sign, as on a board.

    They stand in brackets, `[CH]A[LL]E`; in a file without any, letters that stand on one tile
    are that tile.
    """
    single = any("[" in text for m in game.moves for text in (m.word, m.rack, m.tiles))
    how = partial(tile_set.unbracketed, single=single)
    return replace(game, moves=tuple(_with_tiles(move, how) for move in game.moves))


def in_brackets(game: GcgGame, tile_set: TileSetLike) -> GcgGame:
    """The game with tiles of several letters in brackets, as other programs read it."""
    return replace(game, moves=tuple(_with_tiles(move, tile_set.bracketed) for move in game.moves))


def write_gcg(game: GcgGame) -> str:
    """Format a game as GCG text in UTF-8, in the lines that common readers take.

    A rack that is not known is written as the tiles that were laid, or as the rack that a
    player loses points for; another unknown rack is left empty.
    """
    lines = ["#character-encoding UTF-8"]
    written = _nicks([nick for nick, _ in game.players])
    for i, (nick, full) in enumerate(game.players, 1):
        lines.append(f"#player{i} {written[nick]} {' '.join(full.split()) or written[nick]}")
    lines += [_written(pragma) for pragma in game.header]
    total = dict.fromkeys((nick for nick, _ in game.players), 0)
    rack_before = dict.fromkeys(total, "")
    for move in game.moves:
        total[move.player] = (
            move.total if move.total is not None else total[move.player] + move.score
        )
        rack = move.rack or _rack_of(move, rack_before[move.player])
        rack_before[move.player] = rack if move.kind == "play" else ""
        held = [rack] if rack or move.kind == "bonus" else []  # two blanks stand for no rack
        parts = [f">{written[move.player]}:", *held, _body(move), _points(move)]
        lines.append(" ".join([*parts, str(total[move.player]), move.after]).rstrip())
        lines += [_written(("note", n)) for n in move.note.splitlines() if n]
        lines += [_written(pragma) for pragma in move.pragmas]
    return "\n".join(lines) + "\n"


def _written(pragma: Pragma) -> str:
    name, rest = pragma
    return f"#{name} {rest}".rstrip() if name else f"#{rest}"


def _points(move: GcgMove) -> str:
    """The score with its sign; deductions have a minus, even of zero."""
    lost = move.kind == "withdrawn" and move.score <= 0
    return f"-{-move.score}" if lost else f"{move.score:+d}"


def _nicks(names: Sequence[str]) -> dict[str, str]:
    """Unique nicks for names, without blanks or colons, as the format needs."""
    written: dict[str, str] = {}
    for name in names:
        nick = plain = re.sub(r"[\s:>]+", "_", name.strip()) or "player"
        number = 1
        while nick in written.values():
            number += 1
            nick = f"{plain}{number}"
        written[name] = nick
    return written


def _rack_of(move: GcgMove, before: str) -> str:
    if move.kind == "play":
        own = [c for c, through in plain_word(move.word) if not through]
        return "".join(sorted(UNKNOWN_BLANK if c.islower() else c for c in own))
    if move.kind == "withdrawn":
        return before
    if move.kind == "exchange" and not move.tiles.isdecimal():
        return move.tiles
    return move.tiles if move.kind == "racks" and move.score < 0 else ""


def _body(move: GcgMove) -> str:
    if move.kind == "play":
        position = gcg_position(move.square, move.axis) if move.square is not None else "8H"
        return f"{position} {move.word}"
    return {
        "withdrawn": "--", "pass": "-", "exchange": f"-{move.tiles}", "bonus": "(challenge)",
        "racks": f"({move.tiles})", "time": "(time)", "penalty": "(time)",
    }[move.kind]  # fmt: skip


def play_word(before: Grid, tiles: dict[Square, Tile]) -> tuple[Square, Axis, str]:
    """Start, axis and GCG word of a play: new tiles as letters, tiles played through as dots."""
    grid = before.with_tiles(tiles)
    runs = words_formed(grid, tiles)
    axis: Axis = runs[0].axis if runs else "across"
    squares = runs[0].squares if runs else tuple(sorted(tiles))
    word = "".join(tiles[s].text if s in tiles else "." for s in squares)
    return squares[0], axis, word
