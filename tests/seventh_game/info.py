"""What Long Words is played with: its facts and settings."""

from __future__ import annotations

from kibitz.engine.options import common_settings
from kibitz.engine.rules import GameInfo, Setting, Telling

PLAYERS = (1, 2, 3, 4)
SPRINGS = (
    "...............",
    "...............",
    "...............",
    "...w.......w...",
    "...............",
    "...............",
    "...............",
    "...............",
    "...............",
    "...............",
    "...............",
    "...w.......w...",
    "...............",
    "...............",
    "...............",
)
"""The four springs: a word through one counts double."""

INFO = GameInfo(
    slug="long-words",
    title="Long Words",
    players=PLAYERS,
    settings=(
        *common_settings(),
        Setting("lw.goal", 60, "How many points win.", rule="LW-4", minimum=4, maximum=1000),
    ),
    sentence="A word counts its length times itself.",
    tellings=(Telling("pass", "Pass", "The turn goes on to the next player."),),
    premiums=SPRINGS,
    score_columns=True,
)
