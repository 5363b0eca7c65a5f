"""Kinds of questions that a table asks, with their traits."""

from __future__ import annotations

from enum import Flag, StrEnum, auto
from typing import Self


class Trait(Flag):
    """A property of a kind of question.

    `LASTS`: it stays until it is answered; another one until a picture asks nothing.
    `FIRST`: it comes before the play is said, as the answer may change its score.
    `RETOLD`: after its answer it is said anew what was played.
    `OF_TILE`: it is about what a tile shows; the newest step lists those that are open.
    `OF_PLAY`: it is about one play, by the picture that showed it.
    `RECORDED`: the game's own entries leave it open.
    `OF_ROW`: it is about a row of loose tiles, which more tiles may make another word.
    """

    LASTS = auto()
    FIRST = auto()
    RETOLD = auto()
    OF_TILE = auto()
    OF_PLAY = auto()
    RECORDED = auto()
    OF_ROW = auto()


NO_TRAITS = Trait(0)


class Kind(StrEnum):
    """A kind of question, by the field that an answer names; a game's own are `OTHER`."""

    traits: Trait

    def __new__(cls, field: str, traits: Trait = NO_TRAITS) -> Self:
        """Make a kind from its field and traits."""
        kind = str.__new__(cls, field)
        kind._value_ = field
        kind.traits = traits
        return kind

    BLANK = "blank", Trait.LASTS
    LETTER = "letter", Trait.LASTS | Trait.FIRST | Trait.OF_TILE
    TILE = "tile", Trait.LASTS | Trait.FIRST | Trait.OF_TILE
    EXCHANGED = "exchanged", Trait.LASTS | Trait.OF_TILE
    PLAY = "play", Trait.RETOLD
    PLAYS = "plays", Trait.LASTS | Trait.FIRST | Trait.RETOLD
    ONE_PLAY = (
        "one_play",
        Trait.LASTS | Trait.FIRST | Trait.RETOLD | Trait.OF_PLAY | Trait.RECORDED,
    )
    TAKE_BACK = "take_back", Trait.LASTS | Trait.RETOLD | Trait.OF_PLAY | Trait.RECORDED
    WHOSE = "whose", Trait.LASTS | Trait.RETOLD | Trait.RECORDED
    CLEARING = "clearing"
    BOARD_CHANGED = "board_changed", Trait.RETOLD
    CLAIM = "claim", Trait.OF_ROW
    WORD = "word", Trait.OF_ROW
    GONE = "gone", Trait.OF_ROW
    ADDS_UP = "table"
    OTHER = "other"

    @classmethod
    def _missing_(cls, value: object) -> Kind:  # noqa: ARG003 - whatever a game calls its own
        return cls.OTHER

    def has(self, trait: Trait) -> bool:
        """True if the kind has this trait."""
        return trait in self.traits
