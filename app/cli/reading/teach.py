"""`kibitz calibrate --teach`: learns the look of tiles that are laid out once."""

from __future__ import annotations

import json

from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.face.calibrating import Lesson, teach_lesson


def run_teach(lesson: Lesson, *, as_json: bool = False) -> int:
    """Learn the look of tiles and keep it.

    Raises:
        UsageError: the order names tiles that the set does not have.
        CommandError: a picture cannot be read, or other tiles than those of the order lie there.
    """
    taught = teach_lesson(lesson, show_progress)
    if as_json:
        print_result(json.dumps(taught.to_json(), ensure_ascii=False))
    else:
        print_result(f"{len(taught.labels)} tiles were learnt and kept in {taught.file}")
        print_result(f"Read with them: kibitz read PATH --profile {taught.file}")
    return 0
