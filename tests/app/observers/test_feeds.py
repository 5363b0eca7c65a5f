"""What a series of photographed boards is taken to mean."""

from __future__ import annotations

from tests.app.replay_help import board, plays, replay

CAT = board(H=".......CAT")
CATS = board(H=".......CATS")
CART = board(G=".........O", H=".......CAT", I=".........E")
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


def test_plays_alternate() -> None:
    """The players take turns in seating order."""
    lines, _, _ = replay([CAT, CATS, board(H=".......CATS", I="..........O")])

    assert [line["play"]["player"] for line in lines] == ["Ann", "Bob", "Ann"]


def test_nothing_changed() -> None:
    """A photograph of the same board is no play."""
    lines, final, _ = replay([CAT, CAT, CATS])

    assert statuses(lines) == ["play", "no_change", "play"]
    assert list(plays(final)) == ["1.jpg", "3.jpg"]


def test_a_play_taken_off() -> None:
    """A play that is gone from the next picture was taken back; its turn is spent."""
    lines, final, _ = replay([CAT, CART, CAT, CATS])

    assert statuses(lines) == ["play", "play", "taken_back", "play"]
    assert lines[2]["play"]["removed"] == ["G10", "I10"]
    assert lines[3]["play"]["player"] == "Ann"
    assert final["scores"] == {"Ann": 16, "Bob": 0}
    assert final["plays"][1]["turn_score"] == 3


def test_taken_off_and_laid_in_one() -> None:
    """One photograph may show the last play gone and a new one laid."""
    lines, _, _ = replay([CAT, CART, CATS])

    assert lines[2]["play"]["tiles"] == {"H11": "S"}
    assert lines[2]["play"]["removed"] == ["G10", "I10"]
    assert lines[2]["scores"] == {"Ann": 16, "Bob": 0}


def test_set_up_is_no_play() -> None:
    """Tiles laid for names and cleared away before the game are no play in the end."""
    names = board(H=".......ANNA", J=".......BOB")
    lines, final, _ = replay([board(H=".......ANNA"), NOTHING, CAT])

    assert lines[1]["play"]["removed"] == ["H8", "H9", "H10", "H11"]
    assert plays(final) == {
        "1.jpg": {},
        "2.jpg": {},
        "3.jpg": {"H8": "C", "H9": "A", "H10": "T"},
    }
    assert final["scores"] == {"Ann": 10, "Bob": 0}

    lines, final, _ = replay([names, NOTHING, CAT])
    assert plays(final)["3.jpg"] == {"H8": "C", "H9": "A", "H10": "T"}
    assert final["scores"]["Ann"] == 10


def test_a_challenged_first_play_is_a_play() -> None:
    """A first play that is told to be challenged was a play, although the board is empty again."""
    told = [{"before": "2.jpg", "action": "challenge", "player": "Bob", "verdict": "not_a_word"}]
    lines, final, _ = replay([CAT, NOTHING], told=told, reject_invalid=False)

    assert lines[1]["status"] == "taken_back"
    assert plays(final)["1.jpg"] == {"H8": "C", "H9": "A", "H10": "T"}


def test_a_letter_put_right() -> None:
    """A tile read wrongly once is put right by the pictures that follow."""
    wrong = board(H=".......CAI")
    lines, final, _ = replay([wrong, CATS, CATS, CATS])

    assert lines[0]["play"]["tiles"]["H10"] == "I"
    assert plays(final) == {
        "1.jpg": {"H8": "C", "H9": "A", "H10": "T"},
        "2.jpg": {"H11": "S"},
    }
    assert final["board"][7] == ".......CATS...."


def test_waiting_for_a_hand() -> None:
    """While a hand covers the end of a play nothing is announced; it counts when it is seen."""
    hand = [[7, c] for c in range(9, 15)]
    lines, final, _ = replay([{"board": CAT, "occluded": hand}, CAT])

    assert statuses(lines) == ["covered", "play"]
    assert lines[0]["play"] is None
    assert plays(final) == {"2.jpg": {"H8": "C", "H9": "A", "H10": "T"}}


def test_a_hand_elsewhere() -> None:
    """A hand far from the new tiles hides nothing that matters."""
    hand = [[r, c] for r in range(11, 15) for c in range(5)]
    lines, _, _ = replay([CAT, {"board": CATS, "occluded": hand}])

    assert statuses(lines) == ["play", "play"]


def test_several_plays_with_one_split() -> None:
    """Two plays of which the second needs the first come out in their order."""
    later = board(G="........T", H=".......CAT", I="........R")
    lines, _, _ = replay([NOTHING, later], lexicon="default")

    assert lines[1]["status"] == "several"
    assert [play["tiles"] for play in lines[1]["plays"]] == [
        {"H8": "C", "H9": "A", "H10": "T"},
        {"G9": "T", "I9": "R"},
    ]
    assert [play["player"] for play in lines[1]["plays"]] == ["Ann", "Bob"]


def test_many_tiles_at_once() -> None:
    """A position that many plays led to is taken over, and the plays are asked for."""
    later = board(H="...STREETS", I="...O", J="...PLANES", K="...A", L="...R", M="...TRAINED")
    lines, final, _ = replay([NOTHING, later])
    assert lines[1]["status"] == "several"
    assert lines[1]["question"]["field"] == "plays"
    assert final["board"] == later


def test_a_blank_asks_for_its_letter() -> None:
    """A blank's letter is not in the picture: it is asked for, and the score does not wait."""
    lines, _, _ = replay([board(H=".......C?T")])

    assert lines[0]["play"]["tiles"] == {"H8": "C", "H9": "?", "H10": "T"}
    assert lines[0]["play"]["turn_score"] == 8


def test_a_blank_told_after() -> None:
    """An answer after the question makes the blank a small letter from then on."""
    told = [
        {"before": "2.jpg", "action": "answer", "field": "blank", "square": "H9", "value": "A"}
    ]
    lines, final, _ = replay([board(H=".......C?T"), board(H=".......C?TS")], told=told)

    assert plays(final)["1.jpg"] == {"H8": "C", "H9": "a", "H10": "T"}
    assert lines[1]["play"]["words"] == [{"word": "CATS", "score": 5}]
    assert final["board"][7] == ".......CaTS...."


def test_a_blank_told_before() -> None:
    """An answer may come before the picture that shows the blank."""
    told = [{"action": "answer", "field": "blank", "square": "H9", "value": "A"}]
    lines, _, _ = replay([board(H=".......C?T")], told=told)

    assert lines[0]["play"]["tiles"]["H9"] == "a"
    assert lines[0]["play"]["words"] == [{"word": "CAT", "score": 8}]


def test_a_word_that_is_not_in_the_list() -> None:
    """A refused word is announced and not scored; if people leave it there, it counts."""
    phony = board(H=".......CAX")
    lines, final, _ = replay([phony], lexicon="default")

    assert lines[0]["status"] == "question"
    assert lines[0]["refused"]["code"] == "not_a_word"
    assert lines[0]["play"]["tiles"] == {"H8": "C", "H9": "A", "H10": "X"}
    assert (lines[0]["play"]["player"], lines[0]["play"]["legal"]) == ("Ann", False)
    assert final["scores"] == {"Ann": 0, "Bob": 0}

    lines, final, _ = replay(
        [phony, board(H=".......CAX", I=".......O", J=".......W")], lexicon="default"
    )
    assert plays(final)["1.jpg"] == {"H8": "C", "H9": "A", "H10": "X"}
    assert final["scores"]["Bob"] > 0


def test_a_refused_word_that_people_allow() -> None:
    """An answer that the tiles count makes the refused word a play of its own picture."""
    told = [{"before": "2.jpg", "action": "answer", "field": "play", "value": "it counts"}]
    phony = board(H=".......CAX")
    _, final, _ = replay([phony, phony], lexicon="default", told=told)

    assert plays(final)["1.jpg"] == {"H8": "C", "H9": "A", "H10": "X"}
    assert final["scores"] == {"Ann": 24, "Bob": 0}


def test_a_refused_word_taken_off() -> None:
    """A refused word that is taken off again leaves no trace in the score."""
    lines, final, _ = replay([board(H=".......CAX"), NOTHING, CAT], lexicon="default")

    assert lines[1]["play"]["removed"] == ["H8", "H9", "H10"]
    assert final["scores"]["Ann"] + final["scores"]["Bob"] == 10


def test_tiles_that_are_no_play() -> None:
    """Tiles that touch nothing are not recorded; the reason is given."""
    lines, final, _ = replay([CAT, board(A="DOG", H=".......CAT")])

    assert lines[1]["status"] == "question"
    assert lines[1]["refused"]["code"] == "not_connected"
    assert final["board"] == CAT


def test_an_unreadable_picture() -> None:
    """A picture without a board is told as such and the game goes on."""
    lines, _, _ = replay([CAT, None, CATS])

    assert statuses(lines) == ["play", "unreadable", "play"]
    assert lines[1]["error"] == {"code": "board_not_found", "message": "no board"}


def test_an_exchange_that_is_told() -> None:
    """What people say between two pictures moves the turn on."""
    told = [{"before": "2.jpg", "action": "exchange", "player": "Bob", "count": 3}]
    lines, _, _ = replay([CAT, CAT, CATS], told=told)

    assert lines[1]["say"] == ["Bob exchanges 3."]
    assert lines[2]["play"]["player"] == "Ann"


def test_what_cannot_be_told() -> None:
    """Something told that the rules refuse is reported, and the game goes on."""
    told = [{"before": "2.jpg", "action": "exchange", "player": "Ann", "count": 3}]
    lines, _, run = replay([CAT, CATS], told=told)

    assert len(run.problems) == 1
    assert lines[1]["status"] == "play"


def test_a_board_photographed_from_another_side() -> None:
    """The tiles tell which edge is row A, wherever the picture was taken from."""
    turned = ["".join(CATS[14 - r][c] for r in range(15)) for c in range(15)]
    rotation = [[90 if ch != "." else "." for ch in row] for row in turned]
    lines, _, _ = replay([CAT, {"board": turned, "rotation": rotation}], fixed_top=False)

    assert lines[1]["play"]["tiles"] == {"H11": "S"}
