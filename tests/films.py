"""Films of games with everything that goes on at a table, judged: a referee that people trust?

    python tests/films.py [--count 10] [--seed 1] [--plays 10]
    python tests/films.py --incident relaid_later --incident cleared
    python tests/films.py --games grabscrab,scrabble-house --list

Draws each film at ten pictures a second, shows it to a live table in this process as a camera
would, and answers its questions with the truth. Prints one line a film and a JSON report at the
end: plays and end scores that are right, questions a game beyond blanks, seconds from the hand's
leaving to the announcement (film time and the time it took), announcements withdrawn later.
Exit code 1 if a film was not judged faultless and `--strict` is told.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kibitz.app.common.storage import Storage
from kibitz.app.reading.frames import FrameReader, default_load
from kibitz.app.server.session import Session
from kibitz.app.tables.registry import Order, Tables
from kibitz.engine.games import find_info
from kibitz.engine.table import Square
from tests.films_drawing import Filmed, FilmedBoard, FilmedSpread, Pose
from tests.films_incidents import INCIDENTS, PLAYERS, SETTINGS, SIDES, frames_of
from tests.films_judging import Verdict, judged, summary
from tests.films_script import Bundled, Director, Frame, Frames, bundled, retold

MADE_UP = "scrabble"
"""The game that is made up anew for each film; the others are the bundled games."""
RETOLD = ("frankenscrabbards", "grabscrab", "scrabbage", "scrabble-house", "scrabbleship")
RETOLD_INCIDENTS = ("plain", "leans", "rack_crosses", "flicker")
SIZE = (960, 720)
JOINED_SIZE = (1560, 1560)
LEAN_S = 7.0


@dataclass(frozen=True)
class Title:
    """Which film: the game, the incident, the seed."""

    game: str
    incident: str
    seed: int

    def __str__(self) -> str:
        return f"{self.game} {self.incident} {self.seed}"


def titles(
    games: Sequence[str], incidents: Sequence[str], count: int | None, seed: int
) -> Iterator[Title]:
    """The films that are asked for: every incident of every game in turn, then again.

    Args:
        games: by their names.
        incidents: only these; all without any.
        count: how many films; without it each incident once.
        seed: of the first film; each further one has the next.
    """
    kinds = [(MADE_UP, name) for name in INCIDENTS] if MADE_UP in games else []
    kinds += [(game, name) for game in games if game in RETOLD for name in RETOLD_INCIDENTS]
    kinds = [k for k in kinds if not incidents or k[1] in incidents]
    for number in range(len(kinds) if count is None else count if kinds else 0):
        game, name = kinds[number % len(kinds)]
        yield Title(game, name, seed + number)


def film(session: Session, title: Title, plays: int) -> Verdict:
    """Draw one film and judge what a live table says of it."""
    if title.game == MADE_UP:
        order = Order(title.game, PLAYERS, SETTINGS)
        board = FilmedBoard(title.seed, SIZE)
        frames = frames_of(title.incident, board, title.seed, plays)
        return judged(session, order, str(title), board, frames)
    story = bundled(title.game)
    facts = story.facts
    order = Order(
        title.game,
        tuple(facts["players"]),
        facts["settings"],
        facts["language"],
        facts["lexicon"],
        facts.get("initial"),
    )
    table = _table_of(title)
    return judged(session, order, str(title), table, _retold(title, story, table))


def _table_of(title: Title) -> Filmed:
    surface = find_info(title.game).surface
    if surface.kind == "loose":
        return FilmedSpread(title.seed, SIZE)
    size = SIZE if surface.rows == 15 else JOINED_SIZE
    return FilmedBoard(title.seed, size, surface.rows)


def _retold(title: Title, story: Bundled, table: Filmed) -> Iterator[Frame]:
    rng = random.Random(title.seed)
    seats = len(story.facts["players"])
    sides = SIDES if seats == 2 else tuple(range(seats))
    director = Director(table, rng, sides, story.known[0])
    spot = rng.randrange(1, len(story.shots))

    def between(number: int) -> Frames:
        if number == spot and title.incident == "leans":
            yield from _leans(director)
        elif number == spot and title.incident == "rack_crosses":
            width, height = table.size
            for i in range(25):
                director.rest(Pose("rack", width * (-0.35 + 1.7 * i / 24), height * 0.5, 0.2))
                yield director.frame()
            director.rest()
        elif title.incident == "flicker":
            for _ in range(8):
                yield director.flash(rng.choice((0.7, 0.85, 1.15)))

    return retold(director, story, between)


def _leans(director: Director) -> Frames:
    """An arm lies still over something that lies on the table."""
    rng, scene = director.rng, director.scene
    player = rng.randrange(len(director.sides))
    spread = scene.spread
    if spread is not None:
        words = [w for held in spread.words.values() for w in held]
        row = rng.randrange(2, 2 + len(spread.words)) if words else 1
        target = Square(row, rng.randrange(3))
    else:
        target = rng.choice(sorted(scene.tiles) or [Square(7, 7)])
    yield from director.reach(player, director.at(target))
    yield from director.hover(player, LEAN_S, shake=0.0)
    yield from director.leave(player)
    yield from director.wait(1.0)


def films(wanted: Sequence[Title], plays: int, models: Path | None = None) -> Iterator[Verdict]:
    """The verdicts on some films, one after the other."""
    with tempfile.TemporaryDirectory(prefix="kibitz-films-") as folder:
        session = Session(Tables(Storage(folder)), FrameReader(default_load(models)))
        try:
            for title in wanted:
                yield film(session, title, plays)
        finally:
            session.close()


def main() -> None:
    """Make films and judge."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--games", default=",".join((MADE_UP, *RETOLD)), help="names, with commas")
    ap.add_argument("--incident", action="append", default=[], help="only this one; repeatable")
    ap.add_argument("--count", type=int, help="how many films; each incident once without it")
    ap.add_argument("--plays", type=int, default=10, help="in each made-up game")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--models", type=Path, help="a folder of weights; the built-in ones without")
    ap.add_argument("--list", action="store_true", help="name the films and stop")
    ap.add_argument("--strict", action="store_true", help="exit code 1 where one has a fault")
    a = ap.parse_args()
    games = tuple(a.games.split(","))
    for name in [g for g in games if g not in (MADE_UP, *RETOLD)]:
        ap.error(f"--games: expected one of {', '.join((MADE_UP, *RETOLD))}, got {name!r}")
    known = {*INCIDENTS, *RETOLD_INCIDENTS}
    for name in [i for i in a.incident if i not in known]:
        ap.error(f"--incident: expected one of {', '.join(sorted(known))}, got {name!r}")
    if a.plays < 3:
        ap.error(f"--plays: expected 3 or more, got {a.plays}")
    wanted = list(titles(games, a.incident, a.count, a.seed))
    if a.list:
        print(*wanted, sep="\n")
        return
    verdicts = []
    for verdict in films(wanted, a.plays, a.models):
        verdicts.append(verdict)
        print(json.dumps(verdict.to_json()), flush=True)
    print(json.dumps({"summary": summary(verdicts)}, indent=1))
    if a.strict and not all(v.faultless for v in verdicts):
        sys.exit(1)


if __name__ == "__main__":
    main()
