"""What a series of photographed boards is taken to mean."""

from __future__ import annotations

from tests.app.replay_help import board, plays, replay

CAT = board(H=".......CAT")
CATS = board(H=".......CATS")
NOTHING = board()


def statuses(lines: list[dict[str, object]]) -> list[object]:
    return [line["status"] for line in lines]


def test_a_first_play() -> None:
    """New tiles over the star are a play with its words, score and announcement."""
    lines, _, _ = replay([NOTHING, CAT])

    assert lines[0]["status"] == "no_change"
    assert lines[1]["play"] == {
        "player": "Ann",
        "tiles": {"H8": "C", "H9": "A", "H10": "T"},
        "removed": [],
        "turned": [],
        "words": [{"word": "CAT", "score": 10}],
        "turn_score": 10,
    }
    assert lines[1]["say"] == ["Ann plays CAT.", "10 for CAT; 10."]
    assert lines[1]["scores"] == {"Ann": 10, "Bob": 0}


def test_a_challenged_first_play_is_a_play() -> None:
    """A first play that is told to be challenged was a play, although the board is empty again."""
    told = [{"before": "2.jpg", "action": "challenge", "player": "Bob", "verdict": "not_a_word"}]
    lines, final, _ = replay([CAT, NOTHING], told=told, reject_invalid=False)

    assert lines[1]["status"] == "taken_back"
    assert plays(final)["1.jpg"] == {"H8": "C", "H9": "A", "H10": "T"}


def test_waiting_for_a_hand() -> None:
    """While a hand covers the end of a play nothing is announced; it counts when it is seen."""
    hand = [[7, c] for c in range(9, 15)]
    lines, final, _ = replay([{"board": CAT, "occluded": hand}, CAT])

    assert statuses(lines) == ["covered", "play"]
    assert lines[0]["play"] is None
    assert plays(final) == {"2.jpg": {"H8": "C", "H9": "A", "H10": "T"}}


def test_a_blank_told_before() -> None:
    """An answer may come before the picture that shows the blank."""
    told = [{"action": "answer", "field": "blank", "square": "H9", "value": "A"}]
    lines, _, _ = replay([board(H=".......C?T")], told=told)

    assert lines[0]["play"]["tiles"]["H9"] == "a"
    assert lines[0]["play"]["words"] == [{"word": "CAT", "score": 8}]


def test_a_refused_word_that_people_allow() -> None:
    """An answer that the tiles count makes the refused word a play of its own picture."""
    told = [{"before": "2.jpg", "action": "answer", "field": "play", "value": "it counts"}]
    phony = board(H=".......CAX")
    _, final, _ = replay([phony, phony], lexicon="default", told=told)

    assert plays(final)["1.jpg"] == {"H8": "C", "H9": "A", "H10": "X"}
    assert final["scores"] == {"Ann": 24, "Bob": 0}


def test_an_unreadable_picture() -> None:
    """A picture without a board is told as such and the game goes on."""
    lines, _, _ = replay([CAT, None, CATS])

    assert statuses(lines) == ["play", "unreadable", "play"]
    assert lines[1]["error"] == {"code": "board_not_found", "message": "no board"}
