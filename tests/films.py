"""Films of games with everything that goes on at a table, judged: a referee that people trust?

    python tests/films.py [--count 10] [--seed 1] [--plays 10]
    python tests/films.py --incident relaid_later --incident cleared
    python tests/films.py --games grabscrab,scrabble-house --list

Draws each film at ten pictures a second, shows it to a live table in this process as a camera
would, and answers its questions with the truth. Prints one line a film and a JSON report at the
end: plays and end scores that are right, what was said that is not so, said twice or not said,
who was to move after each play, questions a game beyond blanks, seconds from the hand's leaving
to the announcement (film time and the time it took), announcements that were withdrawn later
without anybody's doing.
Exit code 1 if a film was not judged faultless and `--strict` is told.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kibitz.app.common.storage.tables import Storage
from kibitz.app.reading.frames import FrameReader, make_loader
from kibitz.app.server.session import Session
from kibitz.app.tables.orders import Order
from kibitz.app.tables.registry import Tables
from kibitz.engine.games import find_info
from kibitz.engine.rules import Action
from tests.filming import photos as films_photos
from tests.filming.drawing import Filmed, FilmedBoard, FilmedSpread
from tests.filming.incidents import INCIDENTS, Incident, filmed
from tests.filming.judging import Shot, Verdict, judged, shots, summary
from tests.filming.scenarios import (
    PLAYERS,
    SETTINGS,
    MadeUp,
    Pictured,
    Retold,
    Story,
    bundled,
    from_paper,
    house_of_four,
    two_grabs,
)
from tests.filming.script import (
    AROUND,
    AT_TWO_BOARDS,
    FACING,
    ON_FOUR_SIDES,
    Director,
    Known,
)

MADE_UP = "scrabble"
"""The game that is made up anew for each film; the others are the bundled games."""
RETOLD = ("frankenscrabbards", "grabscrab", "scrabbage", "scrabble-house", "scrabbleship")
TOLD_HERE: Mapping[str, tuple[str, Callable[[], Pictured]]] = {
    "house-of-four": ("scrabble-house", house_of_four),
    "two-grabs": ("grabscrab", two_grabs),
}
"""Games that are told in `scenarios`: Scrabble House with four people at two boards, and GrabScrab
with two words called at once."""
PHOTOS = "photos"
"""Photographed games, where the photographs are at hand."""
GAMES = (MADE_UP, *RETOLD, *TOLD_HERE, PHOTOS)
SIZE = (960, 720)
JOINED_SIZE = (1560, 1560)
TWO_SIZE = (1280, 720)
LOOSE_SIZE = (1280, 960)
"""A bare table is larger than a board: its tiles are as large in this picture as on a board."""
QUIET = tuple(name for name, incident in INCIDENTS.items() if incident.room is None)
"""Incidents in rooms that rest between two turns; the others are asked for by name."""
MIDDLE = 6
"""So many plays lie on the board where a film begins in the middle; an even number."""


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
        incidents: only these; without any all but rooms that never rest.
        count: how many films; without it each incident once. Fewer than there are kinds are
            spread evenly over them, and the seed says at which they begin.
        seed: of the first film; each further one has the next.
    """
    kinds = [(game, name) for game in games for name in INCIDENTS if _suits(game, name)]
    kinds = [k for k in kinds if k[1] in (incidents or QUIET)]
    many = len(kinds)
    wanted = many if count is None else count if kinds else 0
    for number in range(wanted):
        place = seed + number * many // wanted if wanted < many else number
        game, name = kinds[place % many]
        yield Title(game, name, seed + number)


def _suits(game: str, name: str) -> bool:
    """Whether an incident can happen in a game."""
    incident = INCIDENTS[name]
    if game == MADE_UP:
        return not incident.retold
    if incident.made_up:
        return False
    if game == PHOTOS:
        told = incident.paper or incident.drawn or incident.end is not None
        return not told and bool(films_photos.names()) and _happens(_photographed(0)[1], incident)
    if game in TOLD_HERE and incident.paper:
        return False
    slug, story = _told(game)
    loose = find_info(slug).surface.kind == "loose"
    return not (loose and incident.drawn) and _happens(story, incident, _size_of(slug))


def _told(game: str) -> tuple[str, Pictured]:
    """The rules of a game that its pictures tell, and its story."""
    slug, story = TOLD_HERE.get(game) or (game, partial(bundled, game))
    return slug, story()


def _happens(story: Pictured, incident: Incident, size: int = 15) -> bool:
    """Whether some turn of a game is of the kind that an incident needs."""
    director = Director(_NoTable(), random.Random(0), FACING, Known())
    return bool(Retold(director, story, size).turns(incident.fits))


class _NoTable:
    """Stands for a table where nothing is drawn."""

    size, tile_px = SIZE, 40.0


def _size_of(game: str) -> int:
    return find_info(game).surface.rows or 15


def _photographed(seed: int) -> tuple[str, Pictured]:
    """One of the photographed games."""
    every = [(n, s) for n in films_photos.names() if (s := films_photos.photographed(n))]
    return every[seed % len(every)]


def film(session: Session, title: Title, plays: int) -> Verdict:
    """Draw one film and judge what a live table says of it."""
    order, drawn = staged(title, plays)
    return judged(session, order, str(title), drawn)


def staged(title: Title, plays: int) -> tuple[Order, Iterator[Shot]]:
    """The table that a film is shown to, and its pictures, drawn one after the other."""
    incident, rng = INCIDENTS[title.incident], random.Random(title.seed)
    if title.game == MADE_UP:
        return _made_up(title, incident, rng, plays)
    table: Filmed
    slug, boards = MADE_UP, 1
    if title.game == PHOTOS:
        name, story = _photographed(title.seed)
        part = slice(0, plays + 1)
        story = replace(story, scenes=story.scenes[part], ledgers=story.ledgers[part])
        table = films_photos.FilmedPhotos(title.seed, name, story.facts["files"])
    else:
        slug, story = _told(title.game)
        story = from_paper(slug) if incident.paper else story
        info = find_info(slug)
        boards, rows = len(info.surfaces(len(story.facts["players"]))), info.surface.rows
        if info.surface.kind == "loose":
            table = FilmedSpread(title.seed, LOOSE_SIZE)
        else:
            size = TWO_SIZE if boards > 1 else SIZE if rows == 15 else JOINED_SIZE
            table = FilmedBoard(title.seed, size, rows, boards)
    facts = story.facts
    order = Order(
        slug,
        tuple(facts["players"]),
        facts["settings"],
        facts["language"],
        facts["lexicon"],
        None if story.initial is None else dict(story.initial),
    )
    seats = FACING if len(facts["players"]) == 2 else AROUND
    if boards > 1:
        seats = rng.choice((AT_TWO_BOARDS, ON_FOUR_SIDES))
    director = Director(table, rng, seats, Known())
    frames = filmed(Retold(director, story, _size_of(slug)), incident)
    return order, shots(table, frames)


def _made_up(
    title: Title, incident: Incident, rng: random.Random, plays: int
) -> tuple[Order, Iterator[Shot]]:
    """A game that nobody played before."""
    board = FilmedBoard(title.seed, SIZE)
    order = Order(MADE_UP, PLAYERS, {**SETTINGS, "cl.press_clock": incident.presses})
    scenario = made_up(incident, board, rng, title.seed, plays)
    return order, shots(board, filmed(scenario, incident))


def made_up(
    incident: Incident, table: Filmed, rng: random.Random, seed: int, plays: int
) -> MadeUp:
    """A made-up game for an incident, with its director.

    Args:
        incident: says how it begins.
        table: where it is played.
        rng: chance, for the film.
        seed: decides the game.
        plays: how many are made.
    """
    spot = rng.randrange(1, max(2, plays - 1))
    begun = incident.middle or incident.paper
    story = Story(seed, plays + MIDDLE * begun, spot if incident.challenged else None)
    director = Director(table, rng, FACING, Known())
    if incident.middle:
        director.put(story.begin_at(MIDDLE))
    if incident.paper:
        laid, told = story.begin_on_paper(MIDDLE)
        director.put(laid)
        director.tell(Action("begin_from", data={"start": told}))
    director.known = story.known()
    return MadeUp(director, story, spot if incident.challenged else None)


def films(wanted: Sequence[Title], plays: int, models: Path | None = None) -> Iterator[Verdict]:
    """The verdicts on some films, one after the other."""
    with tempfile.TemporaryDirectory(prefix="kibitz-judged-") as folder:
        session = Session(Tables(Storage(folder)), FrameReader(make_loader(models)))
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
    ap.add_argument("--games", default=",".join(GAMES), help="names, with commas")
    ap.add_argument("--incident", action="append", default=[], help="only this one; repeatable")
    many = "how many films, spread over all kinds; each kind once without it"
    ap.add_argument("--count", type=int, help=many)
    ap.add_argument("--plays", type=int, default=10, help="in each made-up or photographed game")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--models", type=Path, help="a folder of weights; the built-in ones without")
    ap.add_argument("--list", action="store_true", help="name the films and stop")
    ap.add_argument("--strict", action="store_true", help="exit code 1 where one has a fault")
    a = ap.parse_args()
    games = tuple(a.games.split(","))
    for name in [g for g in games if g not in GAMES]:
        ap.error(f"--games: expected one of {', '.join(GAMES)}, got {name!r}")
    known = INCIDENTS
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
    by_game = {g: [v for v in verdicts if v.film.startswith(f"{g} ")] for g in games}
    games_told = {game: summary(found) for game, found in by_game.items() if found}
    print(json.dumps({"summary": summary(verdicts), "games": games_told}, indent=1))
    if a.strict and not all(v.faultless for v in verdicts):
        sys.exit(1)


if __name__ == "__main__":
    main()
