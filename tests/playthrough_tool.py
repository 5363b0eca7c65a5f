"""Playthroughs: a game written out move by move, with what every seat may see.

    python -m tests.playthrough_tool --rewrite

A file begins with a header line and holds its own actions (`do: {...}`); everything else in it is
what the engine says, and the test compares it line by line.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.rules import Accepted, action_from_json, apply

FOLDER = Path(__file__).resolve().parent / "playthroughs"
BOARD_KEYS = ("board", "board45", "boards")


def script_of(text: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header and the actions of a playthrough."""
    lines = text.splitlines()
    header = json.loads(lines[0].removeprefix("game: "))
    return header, [json.loads(x.removeprefix("do: ")) for x in lines if x.startswith("do: ")]


def write_out(header: dict[str, Any], actions: list[dict[str, Any]]) -> str:
    """Play the actions and write everything down."""
    game = find_game(header["game"])
    options = check_options(game.info, header.get("settings", {}))
    materials = make_materials("default", "en", options)
    players = tuple(header["players"])
    state = game.begin(players, options, materials, header.get("initial"))
    out = [f"game: {json.dumps(header)}", *_views(game, state, players)]
    for action in actions:
        out += ["", f"do: {json.dumps(action)}"]
        state, verdict = apply(game, state, action_from_json(action))
        if not isinstance(verdict, Accepted):
            out.append(f"  refused {verdict.code}: {verdict.message}")
            continue
        shown = state
        for event in verdict.events:
            to = "" if event.visible_to is None else f" (to {', '.join(sorted(event.visible_to))})"
            out.append(f"  event{to} {json.dumps(event.to_json(), sort_keys=True)}")
            out += [f"    say {line}" for line in game.announce(shown, event)]
        out += _views(game, state, players)
    return "\n".join(out) + "\n"


def _views(game: Any, state: Any, players: tuple[str, ...]) -> list[str]:
    """The board once, then what each seat and a watcher may know beside it."""
    out = []
    watcher = game.view(state, None)
    for key in BOARD_KEYS:
        rows = watcher.get(key)
        if rows and isinstance(rows[0], str) and len(rows) <= 15:
            out += [f"  | {' '.join(row)}" for row in rows]
    for viewer in (None, *players):
        view = {
            k: v
            for k, v in game.view(state, viewer).items()
            if k not in (*BOARD_KEYS, "unseen", "unseen_sets")
        }
        common = {k: v for k, v in watcher.items() if k in view}
        if viewer is not None:  # only what a seat sees beyond a watcher
            view = {k: v for k, v in view.items() if common.get(k) != v}
        out.append(f"  {viewer or 'watcher'} sees {json.dumps(view, sort_keys=True)}")
    return out


def main() -> None:
    """Write every file anew."""
    if "--rewrite" not in sys.argv:
        raise SystemExit("usage: python -m tests.playthrough_tool --rewrite")
    for path in sorted(FOLDER.glob("*.txt")):
        path.write_text(write_out(*script_of(path.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
