"""What three programs take as GCG, written down from what their sources accept.

Each reader goes through a file line by line and refuses what would stop its program, or what the
program would take for something else: macondo (the reader of Woogles), Quackle, and the miner of
cross-tables' games. They are strict where the programs are, and know nothing of Kibitz.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from kibitz.app.common.materials.named import load_tile_set

SIZE = 15
RACK = 7


class ReaderRefused(AssertionError):
    """A program would not take this line; the message has the line and what it wants."""


@dataclass
class Move:
    """One line as a program understood it."""

    kind: str
    nick: str
    rack: str = ""
    word: str = ""
    at: tuple[int, int, str] = (0, 0, "")
    score: int = 0
    total: int = 0


@dataclass
class Taken:
    """What a program made of a file."""

    nicks: list[str] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    board: dict[tuple[int, int], str] = field(default_factory=dict)


def refuse(number: int, line: str, wanted: str) -> ReaderRefused:
    return ReaderRefused(f"line {number}: {line!r}: {wanted}")


def place_of(text: str) -> tuple[int, int, str] | None:
    """A position: row first is across, column first is down."""
    if found := re.fullmatch(r"(\d{1,2})([A-Oa-o])", text):
        row, column, axis = found[1], found[2], "across"
    elif found := re.fullmatch(r"([A-Oa-o])(\d{1,2})", text):
        column, row, axis = found[1], found[2], "down"
    else:
        return None
    if not 1 <= int(row) <= SIZE:
        return None
    return int(row) - 1, ord(column.upper()) - 65, axis


def squares_of(move: Move) -> list[tuple[int, int]]:
    row, column, axis = move.at
    step = (0, 1) if axis == "across" else (1, 0)
    return [(row + i * step[0], column + i * step[1]) for i in range(len(move.word))]


# --- macondo --------------------------------------------------------------------------------------

PRAGMAS_OF_MACONDO = {
    "player1": r"\s+\S+\s+.+", "player2": r"\s+\S+\s+.+", "title": r".*", "description": r".*",
    "id": r"\s+\S+\s+\S+", "rack1": r"\s+\S+", "rack2": r"\s+\S+", "note": r"\s+.*",
    "lexicon": r"\s+.+", "game-type": r"\s+.*", "tile-set": r"\s+.*", "game-board": r"\s+.*",
    "board-layout": r"\s+.*", "tile-distribution": r"\s+.*", "incomplete": r".*",
    "tile": r" \S+\s+\S+",
}  # fmt: skip
LEXICONS_OF_MACONDO = ("NWL", "NSWL", "TWL", "OWL", "CSW", "ECWL", "OSPS", "FRA", "RD", "FISE")
DISTRIBUTIONS_OF_MACONDO = {"english": "en", "german": "de", "french": "fr", "polish": "pl"}
NOT_NEGATIVE, ANY = r"\d+", r"-?\d+"
LINES_OF_MACONDO = (
    ("play", rf"(\S+)\s+(\w+)\s+(\S+)\s+\+(\d+)\s+({NOT_NEGATIVE})"),
    ("withdrawn", rf"(\S+)\s+--()()\s+-(\d+)\s+({NOT_NEGATIVE})"),
    ("pass", rf"(\S+)\s+-()()\s+\+(0)\s+({NOT_NEGATIVE})"),
    ("bonus", rf"(\S*)\s+\(challenge\)()()\s+\+(\d+)\s+({NOT_NEGATIVE})"),
    ("exchange", rf"(\S+)\s+-()(\S+)\s+\+(0)\s+({NOT_NEGATIVE})"),
    ("won", rf"()\(()(\S+)\)\s+\+(\d+)\s+({ANY})"),
    ("time", rf"(\S*)\s+\(time\)()()\s+\+?-(\d+)\s+({ANY})"),
    ("lost", rf"(\S+)\s+\(()(\S+)\)\s+-(\d+)\s+({ANY})"),
)
"""What follows the nick: rack, position, what is said of tiles, points, total."""


def macondo(text: str, *, bag: bool = False) -> Taken:
    """Read a file as macondo does: a line that fits nothing ends it.

    Args:
        text: the file.
        bag: also take every rack out of the bag, as macondo does; a rack that the bag cannot
            give ends the reading.
    """
    taken, lines = Taken(), text.splitlines()
    tiles = "en"
    if not re.match(r"#character-encoding\s+utf-?8\s*$", lines[0], re.IGNORECASE):
        raise refuse(1, lines[0], "without an encoding first the file is read as Latin-1")
    backup: dict[tuple[int, int], str] = {}
    for number, line in enumerate(lines[1:], 2):
        if line.startswith("#"):
            tiles = _pragma_of_macondo(number, line, taken) or tiles
            continue
        move = _line_of_macondo(number, line)
        if len(taken.nicks) != 2 or move.nick not in taken.nicks:
            raise refuse(number, line, f"wants one of two players, has {taken.nicks}")
        _tiles_of_macondo(number, line, move, tiles)
        if bag and move.kind in ("play", "pass", "exchange"):
            _take_out_of_bag(number, line, move, tiles, taken)
        if move.kind == "exchange":
            _exchange_of_macondo(number, line, move)
        elif move.kind == "play":
            backup = dict(taken.board)
            _lay(number, line, move, taken.board)
        elif move.kind == "withdrawn":
            if not taken.moves or taken.moves[-1].kind != "play":
                raise refuse(number, line, "only the play just before can come off")
            taken.board = backup
        elif move.kind == "lost" and move.rack != move.word:
            raise refuse(number, line, "wants the rack and the tiles in brackets alike")
        taken.moves.append(move)
    return taken


def _tiles_of_macondo(number: int, line: str, move: Move, tiles: str) -> None:
    """Everything on a rack or in a play has to be a tile; a digit is a count of tiles."""
    letters = load_tile_set(tiles).letters
    counted = move.kind == "exchange" and move.word.isdecimal()
    for letter in move.rack + ("" if counted else move.word):
        if letter not in "?." and letter.upper() not in letters:
            raise refuse(number, line, f"{letter} is no tile of {tiles}")


def _take_out_of_bag(number: int, line: str, move: Move, tiles: str, taken: Taken) -> None:
    """A rack comes out of all tiles that do not lie on the board."""
    tile_set = load_tile_set(tiles)
    left = Counter({x: tile_set.count(x) for x in (*tile_set.letters, "?")})
    left.subtract("?" if x.islower() else x for x in taken.board.values())
    if over := Counter(move.rack) - left:
        raise refuse(number, line, f"the bag does not hold {dict(over)}")


def _pragma_of_macondo(number: int, line: str, taken: Taken) -> str | None:
    """Take a line of facts; the tile set if it names one."""
    found = re.match(r"#([a-z0-9-]+)(.*)", line)
    if found is None or not re.fullmatch(PRAGMAS_OF_MACONDO.get(found[1], "$^"), found[2]):
        raise refuse(number, line, "macondo knows no such line, and stops")
    name, value = found[1], found[2].strip()
    if name == "note" and not taken.moves:
        raise refuse(number, line, "a remark before the first turn belongs to nothing")
    if name != "note" and not name.startswith("rack") and taken.moves:
        raise refuse(number, line, "facts stand before the turns")
    if name.startswith("player"):
        if int(name[-1]) != len(taken.nicks) + 1:
            raise refuse(number, line, "players come in their order")
        if value.split()[0] in taken.nicks:
            raise refuse(number, line, "two players of one nick name")
        taken.nicks.append(value.split()[0])
    if name == "lexicon" and not value.upper().startswith(LEXICONS_OF_MACONDO):
        raise refuse(number, line, "no such word list; its letters are not known")
    if name == "tile-distribution":
        if value not in DISTRIBUTIONS_OF_MACONDO:
            raise refuse(number, line, "no such tile set")
        return DISTRIBUTIONS_OF_MACONDO[value]
    return None


def _line_of_macondo(number: int, line: str) -> Move:
    for kind, pattern in LINES_OF_MACONDO:
        if found := re.search(rf">(\S+):\s+{pattern}", line):
            nick, rack, position, word, points, total = found.groups()
            at = place_of(position) if kind == "play" else (0, 0, "")
            if at is None:
                raise refuse(number, line, f"{position} is no position")
            return Move(kind, nick, rack, word, at, int(points), int(total))
    raise refuse(number, line, "fits no line that macondo knows")


def _exchange_of_macondo(number: int, line: str, move: Move) -> None:
    if move.word.isdecimal():
        count = int(move.word)
        if count > len(move.rack.encode()) or not move.rack[:count].isascii():
            raise refuse(number, line, f"wants a rack of {count} letters or more")
    elif Counter(move.word) - Counter(move.rack):
        raise refuse(number, line, "exchanges tiles that are not on the rack")


def _lay(number: int, line: str, move: Move, board: dict[tuple[int, int], str]) -> None:
    """Put a play down; it covers the middle first, then touches tiles, and is a whole word."""
    squares = squares_of(move)
    if len(squares) < 2 or any(not (0 <= r < SIZE and 0 <= c < SIZE) for r, c in squares):
        raise refuse(number, line, "wants two letters or more, all on the board")
    held = Counter(move.rack)
    first, touches, new = not board, False, {}
    for square, char in zip(squares, move.word, strict=True):
        if (char == ".") != (square in board):
            raise refuse(number, line, f"a dot where a tile lies, and only there: {square}")
        touches |= char == "."
        if char != ".":
            if not char.isalpha():
                raise refuse(number, line, f"{char} is no letter")
            held["?" if char.islower() else char] -= 1
            new[square] = char
            r, c = square
            touches |= any(n in board for n in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)))
    (r, c), (dr, dc) = squares[0], (0, 1) if move.at[2] == "across" else (1, 0)
    end = squares[-1][0] + dr, squares[-1][1] + dc
    if (r - dr, c - dc) in board or end in board:
        raise refuse(number, line, "wants the whole word, with what it is joined to")
    if not new or any(n < 0 for n in held.values()):
        raise refuse(number, line, f"the rack {move.rack} does not hold what is laid")
    if (first and (7, 7) not in new) or (not first and not touches):
        raise refuse(number, line, "wants the middle square, or a tile beside it")
    board |= new


# --- Quackle --------------------------------------------------------------------------------------


def quackle(text: str) -> Taken:
    """Read a file as Quackle does: words between blanks, turns in the players' order.

    It goes by the order of the turns and never looks at who is named, takes any second word for
    the rack, and has no line for points lost for a rack: those may only stand at the end.
    """
    taken, backup = Taken(), dict[tuple[int, int], str]()
    lost = False
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if line.startswith("#player"):
            if len(words) < 3 or words[0] != f"#player{len(taken.nicks) + 1}":
                raise refuse(number, line, "wants a nick and a name, in order")
            taken.nicks.append(words[1])
        if not line.startswith(">"):
            continue  # any other line is passed over
        nick = words[0][1:-1]
        if nick not in taken.nicks or not words[0].endswith(":") or len(words) < 4:
            raise refuse(number, line, "wants '>nick:', a rack, and two words more")
        move = _line_of_quackle(number, line, nick, words[1:])
        if lost and move.kind not in ("lost", "won"):
            raise refuse(number, line, "a rack that is lost can only stand at the end")
        lost |= move.kind == "lost"
        turns = [m for m in taken.moves if m.kind in ("play", "pass", "exchange")]
        if move.kind in ("play", "pass", "exchange"):
            due = taken.nicks[len(turns) % len(taken.nicks)]
            if nick != due:
                raise refuse(number, line, f"Quackle takes this for {due}'s turn")
        elif move.kind in ("withdrawn", "bonus") and (not turns or turns[-1].nick != nick):
            raise refuse(number, line, "Quackle gives this to the turn just before")
        if move.kind == "play":
            backup = dict(taken.board)
            _lay(number, line, move, taken.board)
        elif move.kind == "withdrawn":
            taken.board = backup
        taken.moves.append(move)
    return taken


def _line_of_quackle(number: int, line: str, nick: str, words: list[str]) -> Move:
    rack, act = words[0], words[1]
    if rack.startswith("(") and rack.endswith(")"):
        if not re.fullmatch(r"[+-]?\d+", act) or not rack[1:-1].replace("?", "A").isalpha():
            raise refuse(number, line, "wants the tiles left and the points for them")
        return Move("won", nick, word=rack[1:-1], score=int(act))
    if not rack.replace("?", "A").isalpha():
        raise refuse(number, line, f"takes {rack} for the rack")
    if act == "--":
        return Move("withdrawn", nick, rack)
    if act.startswith("-"):
        if len(act) > 1 and not act[1:].isdecimal() and not act[1:].replace("?", "A").isalpha():
            raise refuse(number, line, f"{act} exchanges no tiles")
        return Move("exchange" if len(act) > 1 else "pass", nick, rack, act[1:])
    if act in ("(time)", "(challenge)"):
        if not re.fullmatch(r"[+-]?\d+", words[2]):
            raise refuse(number, line, "wants points")
        return Move("bonus" if act == "(challenge)" else "time", nick, rack, score=int(words[2]))
    if act == f"({rack})":
        return Move("lost", nick, rack, rack, score=int(words[2]))
    at = place_of(act)
    if at is None or len(words) < 4 or not re.fullmatch(r"\+?\d+", words[3]):
        raise refuse(number, line, "wants a position, a word and its points")
    return Move("play", nick, rack, words[2], at, int(words[3]))


# --- cross-tables ---------------------------------------------------------------------------------

WORDS_OF_A_WON_RACK, WORDS_OF_A_PLAY, WORDS_OF_THE_REST = 4, 6, 5


def cross_tables(text: str) -> Taken:
    """Read a file as the miner of cross-tables' games does: lines told apart by their words.

    Four words are a rack that is won, six or more a play, five the rest. An underline in a nick
    is a blank; no nick has an angle or a colon.
    """
    taken, backup = Taken(), dict[tuple[int, int], str]()
    for number, line in enumerate(text.splitlines(), 1):
        if found := re.match(r"#player([12])\s(\S+)\s", line):
            nick = found[2].replace("_", " ")
            if nick in taken.nicks:
                raise refuse(number, line, "two players of one name")
            taken.nicks.append(nick)
        elif line.startswith("#note") and not taken.moves:
            raise refuse(number, line, "a remark before the first turn")
        if line.startswith("#") or not line.strip():
            continue
        words = line.split()
        nick = words[0].replace("_", " ").replace(">", "").replace(":", "")
        if len(taken.nicks) != 2 or nick not in taken.nicks:
            raise refuse(number, line, f"a turn of somebody unknown; known are {taken.nicks}")
        move = _line_of_cross_tables(number, line, nick, words)
        if move.kind in ("won", "lost", "withdrawn", "bonus") and not taken.moves:
            raise refuse(number, line, "this cannot be the first turn")
        if move.kind == "play":
            backup = dict(taken.board)
            _lay(number, line, move, taken.board)
        elif move.kind == "withdrawn":
            taken.board = backup
        taken.moves.append(move)
    return taken


def _line_of_cross_tables(number: int, line: str, nick: str, words: list[str]) -> Move:
    if len(words) == WORDS_OF_A_WON_RACK:
        if not re.fullmatch(r"\([^()]+\)", words[1]):
            raise refuse(number, line, "four words are taken for a rack that is won")
        return Move("won", nick, word=words[1][1:-1], score=int(words[2]), total=int(words[3]))
    if len(words) >= WORDS_OF_A_PLAY:
        at = place_of(words[2])
        if at is None:
            raise refuse(number, line, "six words are taken for a play, which has a position")
        return Move("play", nick, words[1], words[3], at, int(words[4]), int(words[5]))
    if len(words) != WORDS_OF_THE_REST:
        raise refuse(number, line, f"no line has {len(words)} words")
    rack, act, points, total = words[1], words[2], int(words[3]), int(words[4])
    if act in ("-", "--", "(challenge)"):
        kind = {"-": "pass", "--": "withdrawn"}.get(act, "bonus")
        return Move(kind, nick, rack, score=points, total=total)
    if re.fullmatch(r"\(.+\)", act):
        return Move("lost", nick, rack, act[1:-1], score=points, total=total)
    if re.fullmatch(r"-[^-]+", act):
        return Move("exchange", nick, rack, act[1:], total=total)
    raise refuse(number, line, "five words are a pass, an exchange, a bonus or a play taken off")
