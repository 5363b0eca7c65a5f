"""The pages of an archive: boards, search and statistics, in files that need no network."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Required, TextIO, TypedDict
from urllib.parse import quote

from kibitz.app.archive.kept import KeptGame
from kibitz.app.archive.statistics import PREMIUM_NAMES, SCORE_STEP, Statistics, turn_names
from kibitz.app.archive.store import GAMES
from kibitz.app.common.files import drafted
from kibitz.app.common.limits import LISTS
from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.tables.results.html_replay import filled, inside_script, page_part
from kibitz.engine.rules import JsonValue
from kibitz.engine.table import SIDE, board_rows

WIDTH: Final = 420
HEIGHT: Final = 200
LEFT: Final = 8
RIGHT: Final = 8
TOP: Final = 22
BOTTOM: Final = 40
WIDEST: Final = 70
"""A column is no wider, so that a few of them still look like columns."""
LONGEST_LABEL: Final = 9
"""Letters of a name that fit below a column; longer ones take two lines."""


def bars(title: str, columns: Sequence[tuple[str, float]], *, share: bool = False) -> str:
    """A bar plot as SVG: each column has its value above and its name below.

    Args:
        title: what it shows, in a sentence: those who do not see it hear that and the values.
        columns: names with values, from left to right.
        share: whether values are parts of one, told as percentages.
    """
    most = max((value for _, value in columns), default=0) or 1
    step = min(WIDEST, (WIDTH - LEFT - RIGHT) / max(1, len(columns)))
    room = HEIGHT - TOP - BOTTOM
    drawn = []
    for number, (name, value) in enumerate(columns):
        tall = room * value / most
        x, y = LEFT + number * step, TOP + room - tall
        middle = x + step / 2
        drawn += [
            f'<rect x="{x + step / 8:.1f}" y="{y:.1f}" width="{step * 3 / 4:.1f}" '
            f'height="{tall:.1f}" rx="2"/>',
            f'<text x="{middle:.1f}" y="{y - 5:.1f}" class="value">{_said(value, share)}</text>',
            _label(name, middle, TOP + room + 16),
        ]
    return _figure(title, columns, "".join(drawn), share=share)


def _label(name: str, middle: float, y: float) -> str:
    first, to, rest = name.partition(" to ")
    lines = [first, f"to {rest}"] if to else [name]
    if len(name) > LONGEST_LABEL and not to:
        lines = name.split(" ", 1)
    return "".join(
        f'<text x="{middle:.1f}" y="{y + 13 * i:.1f}" class="name">{html.escape(part)}</text>'
        for i, part in enumerate(lines)
    )


def _said(value: float, share: bool) -> str:
    return f"{100 * value:.0f} %" if share else f"{value:,.0f}".replace(",", "\u202f")


def _figure(title: str, columns: Sequence[tuple[str, float]], drawn: str, *, share: bool) -> str:
    described = "; ".join(f"{name}: {_said(value, share)}" for name, value in columns)
    return (
        f'<figure class="plot card"><figcaption>{html.escape(title)}</figcaption>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{html.escape(f"{title}. {described}")}">{drawn}</svg></figure>'
    )


def covered_board(title: str, covered: Mapping[tuple[int, int], int], boards: int) -> str:
    """A heat map of a board as SVG: how many games have a tile on each square."""
    drawn = []
    for row in range(SIDE):
        for col in range(SIDE):
            part = covered.get((row, col), 0) / max(1, boards)
            drawn.append(
                f'<rect x="{col * 10 + 0.5}" y="{row * 10 + 0.5}" width="9" height="9" rx="1" '
                f'fill-opacity="{(1 + 15 * part) / 16:.2f}"/>'
            )
    most = max(covered.items(), key=lambda item: item[1], default=((7, 7), 0))
    place = f"{chr(65 + most[0][0])}{most[0][1] + 1}"
    described = f"{title}. Most often covered: {place}, in {most[1]} of {boards} games"
    return (
        f'<figure class="plot card square"><figcaption>{html.escape(title)}</figcaption>'
        f'<svg viewBox="0 0 150 150" role="img" aria-label="{html.escape(described)}">'
        f"{''.join(drawn)}</svg></figure>"
    )


DATA = Path(__file__).resolve().parents[1] / "data" / "archive_page"
FIND = "find.part"
"""The file in the run's own folder in which what is searched is gathered."""


def page_name(number: int) -> str:
    """File name of a page; the first is `index.html`."""
    return "index.html" if number == 1 else f"index-{number}.html"


class BoardStyle(TypedDict):
    """Style of boards for a game and tile set: squares and how they are named, letter `values`."""

    size: int
    notation: str
    facing: bool
    premiums: list[str] | None
    values: dict[str, int]


class OwnLayout(TypedDict):
    """A board that differs from its game's usual one: premium squares by row, and its side."""

    premiums: list[str]
    size: int


class Card(TypedDict, total=False):
    """A game on a page: its board and plays, or why it could not be replayed."""

    name: Required[str]
    title: Required[str]
    error: Required[str | None]
    kind: Required[str | None]
    look: OwnLayout
    game: str
    players: list[str]
    scores: dict[str, int]
    photos: int
    plays: int
    unresolved: int
    questions: int
    board: list[str] | None
    table: JsonValue
    play: dict[str, dict[str, str]]
    best: str
    links: dict[str, str]


class Pages:
    """Writes pages as games come; the first, with search and statistics, is written last.

    Args:
        out: the folder of the archive.
        work: the run's own folder, for what is gathered on the way.
        count: how many games will come.

    Raises:
        OSError: they cannot be written.
    """

    def __init__(self, out: Path, work: Path, count: int) -> None:
        self._out, self._work = out, work
        self._pages = max(1, -(-count // LISTS.page))
        self._cards: list[Card] = []
        self._first: list[Card] = []
        self._number = 0
        self._games = 0
        self._find: TextIO = (work / FIND).open("w", encoding="utf-8", errors="backslashreplace")

    def __enter__(self) -> Pages:
        return self

    def __exit__(self, *error: object) -> None:
        self._find.close()
        (self._work / FIND).unlink(missing_ok=True)

    def add(self, game: KeptGame) -> None:
        """Add one more game, in the order of the pages."""
        page = self._games // LISTS.page + 1
        self._find.write("," if self._games else "")
        self._find.write(inside_script(_search_entry(game, page)))
        self._games += 1
        self._cards.append(_card(game))
        if len(self._cards) == LISTS.page:
            self._close_page()

    def _close_page(self) -> None:
        self._number += 1
        if self._number == 1:
            self._first = self._cards
        else:
            before, after = _page(self._cards, self._number, self._pages, "")
            self._write(self._number, [before, "null", after])
        self._cards = []

    def finish(self, statistics: Statistics) -> None:
        """Write what is left, and delete pages of an earlier run that had more games."""
        if self._cards or self._number == 0:
            self._close_page()
        self._find.close()
        before, after = _page(self._first, 1, self._pages, statistics_html(statistics))
        self._write(1, [before, "[", self._work / FIND, "]", after])
        number = self._pages + 1
        while (old := self._out / page_name(number)).exists():
            old.unlink()
            number += 1

    def _write(self, number: int, parts: list[str | Path]) -> None:
        """Write a page from texts and files without holding one of them in memory whole."""
        with (
            drafted(self._out / page_name(number)) as draft,
            draft.open("w", encoding="utf-8", errors="backslashreplace") as file,
        ):
            for part in parts:
                for text in _pieces(part):
                    file.write(text)


def _pieces(part: str | Path) -> Iterator[str]:
    if isinstance(part, str):
        yield part
        return
    with part.open(encoding="utf-8") as file:
        while piece := file.read(1 << 20):
            yield piece


def _page(cards: list[Card], number: int, pages: int, statistics: str) -> tuple[str, str]:
    """Text of a page before and after the place where the search has its list of games."""
    title = "Archive of games" if number == 1 else f"Archive of games, page {number}"
    kinds = {str(card["kind"]) for card in cards if card["kind"] is not None}
    data = {"games": cards, "looks": {kind: _look(kind) for kind in sorted(kinds)}}
    parts = {
        "TITLE": title,
        "STYLE": page_part("page.css") + _part("page.css"),
        "SCRIPT": page_part("board.js") + _part("page.js"),
        "STATISTICS": statistics,
        "PAGES": _pages_html(number, pages),
        "DATA": inside_script(data),
    }
    before, _, after = _part("page.html").partition("@@FIND@@")
    return filled(before, parts), filled(after, parts)


def _part(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


def _pages_html(number: int, pages: int) -> str:
    if pages == 1:
        return ""
    here = ' aria-current="page"'
    links = "".join(
        f'<a href="{page_name(n)}"{here if n == number else ""}>{n}</a>'
        for n in range(1, pages + 1)
    )
    return f'<nav class="pages" aria-label="Pages">{links}</nav>'


@lru_cache(maxsize=64)
def _look(kind: str) -> BoardStyle:
    """Style in which a game's boards are drawn; `kind` is game and tile set, as `scrabble en`."""
    from kibitz.engine.games import GAMES as KNOWN

    slug, _, tiles = kind.partition(" ")
    try:
        info = KNOWN.find_info(slug)
    except ValueError:
        return {"size": SIDE, "notation": "A1", "facing": False, "premiums": None, "values": {}}
    values = {}
    if info.letter_values:
        try:
            known = load_tile_set(tiles)
            values = {x: v for x in known.letters if (v := known.value(x))}
        except Exception:  # noqa: BLE001 - a tile set file of its own may be gone by now
            values = {}
    return {
        "size": info.surface.rows,
        "notation": info.notation,
        "facing": info.surface.facing,
        "premiums": None if info.premiums is None else list(info.premiums),
        "values": values,
    }


def _own_layout(rows: Sequence[str]) -> OwnLayout:
    """Layout of a board, where it differs from its game's usual one."""
    return {"premiums": list(rows), "size": len(rows)}


def _address(game: KeptGame, ending: str) -> str:
    return f"{GAMES}/{quote(game.name)}.{ending}"


def _card(game: KeptGame) -> Card:
    """The card of a game."""
    line = game.line
    card: Card = {
        "name": game.name,
        "title": game.title,
        "error": None if line["ok"] else line["error"]["message"],
        "kind": None,
    }
    if not game.document:
        return card
    final = game.document["final"]
    last = game.plays[-1] if game.plays else {}
    whole: Card = {
        **card,
        "kind": f"{game.document['game']} {game.document['tile_set']}",
        "game": game.info.title if game.info else game.document["game"],
        "players": list(game.players),
        "scores": line["scores"],
        "photos": line["photos"],
        "plays": line["plays"],
        "unresolved": line["unresolved"],
        "questions": line["questions"],
        "board": board_rows(final) or None,
        "table": final.get("table"),
        "play": {"tiles": last.get("tiles") or {}},
        "best": _best(game),
        "links": {x: _address(game, x) for x in ("html", "gcg") if x in game.pages},
    }
    if rows := game.document.get("layout"):
        whole["look"] = _own_layout(rows)
    return whole


def _best(game: KeptGame) -> str:
    """The game's best play as a sentence; empty where plays do not score."""
    scored = [p for p in game.plays if p.get("turn_score") is not None and p.get("words")]
    if not scored:
        return ""
    best = max(scored, key=lambda p: int(p["turn_score"]))
    words = ", ".join(str(w["word"]).upper() for w in best["words"])
    return f"{words} ({best['turn_score']}{', ' + best['player'] if best.get('player') else ''})"


def _search_entry(game: KeptGame, page: int) -> list[Any]:
    """A game's entry in the search: name, title, page, players, scores, words."""
    words: dict[str, int] = {}
    for play in game.plays:
        for word in play.get("words") or ():
            text = str(word["word"]).upper()
            words[text] = max(words.get(text, 0), int(word.get("score") or 0))
        if play.get("word"):
            words.setdefault(str(play["word"]).upper(), 0)
    best = sorted(words, key=lambda word: -words[word])[: LISTS.page]
    scores = list(game.line["scores"].values())
    title = "" if game.title == game.name else game.title
    return [game.name, title, page, list(game.players), scores, " ".join(best)]


def statistics_html(found: Statistics) -> str:
    """The statistics with their plots, as part of a page."""
    facts = [
        (found.games, "games"),
        (found.photos, "photographs"),
        (found.plays, "plays"),
        (sum(found.words.values()), "words"),
        (found.blanks_laid, "blanks laid"),
        (found.questions, "questions open"),
        (found.unresolved, "photographs not understood"),
        (found.failed, "games that failed"),
    ]
    rows = "".join(
        f"<div><dt>{html.escape(name)}</dt><dd>{count:,}</dd></div>".replace(",", "\u202f")
        for count, name in facts
    )
    plots = [*_plots(found), *_tables(found)]
    return f'<dl class="facts card">{rows}</dl><div class="plots">{"".join(plots)}</div>'


def _plots(found: Statistics) -> Iterator[str]:
    if found.scores:
        low, high = min(found.scores), max(found.scores)
        columns = range(low, high + SCORE_STEP, SCORE_STEP)
        yield bars(
            f"Players' final scores, from so many points on ({SCORE_STEP} a column)",
            [(str(x), found.scores[x]) for x in columns],
        )
    if found.lengths:
        lengths = range(min(found.lengths), max(found.lengths) + 1)
        yield bars("Words laid, by their letters", [(str(n), found.lengths[n]) for n in lengths])
    if found.turns_s:
        yield bars(
            "Time a turn, from play to play, where photographs tell when they were taken",
            [(name, found.turns_s[n]) for n, name in enumerate(turn_names())],
        )
    if found.blanks:
        most = sorted(found.blanks.items(), key=lambda item: (-item[1], item[0]))[:14]
        yield bars("What blanks stood for (? where nobody said)", most)
    if found.premium_there:
        names = dict.fromkeys(PREMIUM_NAMES.values())
        yield bars(
            "Premium squares covered, of all there are",
            [(n, found.premium_used[n] / max(1, found.premium_there[n])) for n in names],
            share=True,
        )
    if found.covered:
        yield covered_board(
            "Where tiles lie at the end: the more colour, the more games",
            found.covered,
            found.boards,
        )


def _tables(found: Statistics) -> Iterator[str]:
    if found.best:
        rows = [
            (str(score), words, player, _link(name))
            for score, words, player, name in found.best_plays()
        ]
        yield _table("Best plays", ("points", "words", "player", "game"), rows)
    if found.words:
        yield _table(
            "Words laid most often", ("word", "times"), [(w, str(n)) for w, n in found.top_words()]
        )
    if found.players:
        standings = [
            (name, str(s.games), str(s.won), f"{s.points / s.games:.0f}", str(s.best))
            for name, s in found.top_players()
        ]
        yield _table("Players", ("player", "games", "won", "mean", "best"), standings)


class _Link(str):
    """A table cell that is HTML already."""

    __slots__ = ()


def _link(name: str) -> _Link:
    return _Link(
        f'<a href="{html.escape(GAMES + "/" + quote(name))}.html">{html.escape(name)}</a>'
    )


def _cell(text: str) -> str:
    return f"<td>{text if isinstance(text, _Link) else html.escape(text)}</td>"


def _table(title: str, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    head = "".join(f'<th scope="col">{x}</th>' for x in heads)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return (
        f'<div class="list card" tabindex="0" role="region" aria-label="{html.escape(title)}">'
        f"<table><caption>{html.escape(title)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
