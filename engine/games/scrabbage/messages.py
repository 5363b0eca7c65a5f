"""Views and announcements of Scrabbage (rule 7); of the hands only the viewer's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kibitz.engine.board.notation import spoken
from kibitz.engine.clock import clock_view
from kibitz.engine.first_turn import EVENTS as FIRST
from kibitz.engine.first_turn import first_lines, first_view
from kibitz.engine.games.scrabbage.state import ScrabbageState, unseen_by
from kibitz.engine.games.scrabbage.words import (
    letter_points,
    may_be_finished,
    square_factor,
    strings_at,
)
from kibitz.engine.phrases import Numeral, Translatable, counted, listed, phrase, several
from kibitz.engine.rules import Event, JsonValue
from kibitz.engine.table import UNKNOWN_BLANK, parse_square
from kibitz.engine.telling import blank_line, score_row
from kibitz.engine.words.formed import text_of, word_of


def view(state: ScrabbageState, viewer: str | None) -> dict[str, JsonValue]:
    """Public view with board and pegs; of the hands only the viewer's own."""
    out: dict[str, JsonValue] = {
        "scores": dict(state.scores),
        "board": list(state.grid.text_rows()),
        "dealer": state.dealer,
        "to_move": state.to_move,
        "may_act": sorted(state.may_act),
        "first_turn": first_view(state, untouched=state.untouched),
        **clock_view(state),
        "phase": state.phase,
        "dealt": state.dealt,
        "tiles_left": dict(state.tiles_left),
        "bag_count": state.bag,
        "unseen": unseen_by(state, viewer),
        "stuck": sorted(state.stuck),
        "over": state.over,
        "reason": state.reason or None,
        "winner": list(state.winner) if state.over and state.winner else None,
    }
    if len(state.players) == 4:
        out["team_scores"] = dict(state.scores)
    if viewer is not None and viewer in state.hands:
        out["hand"] = list(state.hands[viewer])
    if viewer == state.dealer and state.scrab is not None and state.scrab_shown:
        out["scrab"] = list(state.scrab)
    return out


def lines(state: ScrabbageState, event: Event) -> tuple[str, ...]:
    """Announcements of an event; `state` is the state after it."""
    d = event.data
    match event.kind:
        case "_tile":
            return (*_tile(state, d), *_hopeless(state, d))
        case "go" | "go_called":
            if not (d["scored_by"] and d["points"]):
                return (phrase("Go from {player}.", player=d["called_by"]),)
            return (
                phrase(
                    "Go from {player}; one for {scorer}.",
                    player=d["called_by"],
                    scorer=d["scored_by"],
                ),
            )
        case "last":
            return (phrase("Last for {player}, one.", player=d["player"]), *_dealers_tile(state))
        case "_play_over":
            return _dealers_tile(state)
        case "_discard_told":
            count = Numeral(int(d["count"]))
            return (phrase("{player} discards {count}.", player=d["player"], count=count),)
        case "_scrab":
            return (
                phrase("Scrab for {player}: {points}.", player=d["player"], points=d["points"]),
            )
        case "_working":
            return (_working(d["players"]),)
        case "fragment_left":
            left = phrase(
                "{letters} was left unfinished by {player}.", letters=d["text"], player=d["player"]
            )
            if not d["penalty"]:
                return (left,)
            return (several(left, phrase("Minus {points}.", points=d["penalty"])),)
        case "_ruled":
            names = {"points": abs(d["points"]), "player": d["player"]}
            if d["points"] >= 0:
                return (phrase("Ruled: plus {points} for {player}.", **names),)
            return (phrase("Ruled: minus {points} for {player}.", **names),)
        case "_hand_over":
            return (phrase("{player} deals.", player=state.dealer),)
        case "_blank_named":
            return (
                blank_line(
                    spoken(parse_square(str(d["square"]))), d["letter"], state.materials.tile_set
                ),
            )
        case "_play_off":
            return (phrase("{player} wins the play-off.", player=d["winner"][0]),)
        case "game_over":
            return (_over(state, d),)
        case kind if kind in FIRST:
            return first_lines(event, state.materials.tile_set, phrase("{player} deals."))
        case _:
            return ()


def _tile(state: ScrabbageState, d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Announcement of points with their reasons: each word, then the letter square."""
    if not d["points"]:
        return ()
    square = parse_square(str(d["square"]))
    factor = square_factor(square, state.options)
    reasons: list[Translatable] = [_word_worth(str(word), factor) for word in d["words"]]
    if points := letter_points(square):
        reasons.append(phrase("letter square {points}", points=Numeral(points)))
    return (
        phrase(
            "{player} pegs {points}: {reasons}.",
            player=d["player"],
            points=d["points"],
            reasons=listed(reasons, ", "),
        ),
    )


def _hopeless(state: ScrabbageState, d: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Question about a tile that leaves a fragment of no word in the list (SB-13)."""
    if not d["fragments"] or state.options["sb.working_check"] == "hands":
        return ()
    lexicon, left = state.materials.lexicon, state.tiles_left[str(d["player"])]
    square = parse_square(str(d["square"]))
    runs = [
        run
        for run in strings_at(state.grid, square)
        if text_of(state.grid, run) not in lexicon
        and not may_be_finished(state.grid, run, lexicon, left)
    ]
    texts = [word_of(state.grid, run, state.materials.tile_set) for run in runs]
    return tuple(
        phrase(
            "No word of the list can be made of {text} there. Is {player} working on one?",
            text=text,
            player=d["player"],
        )
        for text in texts
        if UNKNOWN_BLANK not in text
    )


def _word_worth(word: str, factor: int) -> Translatable:
    """A word with its points, named by what its square does to it."""
    match factor:
        case 1:
            return phrase("{word} for {points}", word=word, points=Numeral(2))
        case 2:
            return phrase("{word} double word four", word=word)
        case _:
            return phrase("{word} triple word six", word=word)


def _dealers_tile(state: ScrabbageState) -> tuple[str, ...]:
    """Announcement that of three players the dealer draws a tile for the scrab (SB-5)."""
    extra = state.dealers_extra and not state.over
    return (
        (phrase("{player} draws one more for the scrab.", player=state.dealer),) if extra else ()
    )


def _working(players: Sequence[str]) -> str:
    if not players:
        return phrase("Nobody is working on a word.")
    return counted(
        "{players} is working on something.",
        "{players} are working on something.",
        len(players),
        players=listed(players),
    )


def _over(state: ScrabbageState, d: Mapping[str, JsonValue]) -> str:
    winners = list(d["winner"] or ())
    if d["reason"] == "121":
        return phrase("{player} pegs out at one hundred and twenty-one!", player=winners[0])
    if d["reason"] == "ended":
        return _ended(state, winners)
    best = max(state.scores.values())
    if not winners:
        return phrase(
            "Too few tiles for a deal; level at {points}: a play-off decides.", points=best
        )
    if len(winners) > 1:
        return phrase(
            "Too few tiles for a deal; {players} share the win with {points}.",
            players=listed(winners, " and "),
            points=best,
        )
    return phrase(
        "Too few tiles for a deal; {player} wins with {points}.", player=winners[0], points=best
    )


def _ended(state: ScrabbageState, winners: Sequence[str]) -> str:
    """Announcement of an end by agreement: who has the most points, or that nobody has any."""
    scores = score_row(sorted(state.scores.values(), reverse=True))
    if len(winners) == 1:
        return phrase("{player} wins, {scores}.", player=winners[0], scores=scores)
    return phrase("A draw, {scores}.", scores=scores)
