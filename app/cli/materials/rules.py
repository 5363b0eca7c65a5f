"""`kibitz rules`: rule scenarios and GCG files played without a camera."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from kibitz.app.cli.options import Game, Json, Lexicon
from kibitz.app.common.terminal import print_result, show_progress, shown
from kibitz.app.face.judging import Judged
from kibitz.app.face.judging import rules as judged
from kibitz.engine.record.gcg_replay import GcgWrong


def command(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="Scenario files (.json) or GCG files.", readable=False
        ),
    ],
    *,
    as_json: Json = False,
    lexicon: Lexicon = "default",
    game: Game = None,
    house_rules: Annotated[
        bool,
        typer.Option(
            "--house-rules",
            help="Judge only the scores of GCG files, not how tiles are laid, drawn and taken.",
        ),
    ] = False,
) -> int:
    """Play rule scenarios or GCG files through the rules, without a camera.

    Example: kibitz rules scenarios.json
    """
    failed = False
    for one in judged(
        files, lexicon=lexicon, game=game, house_rules=house_rules, progress=show_progress
    ):
        failed |= not one.ok
        _show(one, as_json=as_json)
    return 1 if failed else 0


def _show(one: Judged, *, as_json: bool) -> None:
    if as_json:
        print_result(json.dumps(one.line, ensure_ascii=False))
        return
    print_result(f"{'ok  ' if one.ok else 'FAIL'} {shown(one.name)}")
    if one.problem is not None:
        print_result(f"     {shown(one.problem.message)}")
    for text in (*one.differences, *map(_wrong_text, one.wrong)):
        print_result(f"     {shown(text)}")
    for remark in one.remarks:
        print_result(f"     counts for nothing: {shown(_wrong_text(remark))}")


def _wrong_text(wrong: GcgWrong) -> str:
    return f"line {wrong.line}: {wrong.what}: {wrong.why}"
