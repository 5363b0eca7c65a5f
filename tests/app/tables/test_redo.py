"""What was taken back with one tap is put back with another, as long as nothing else happened."""

from __future__ import annotations

from tests.app.server_help import PLAY, act, board, new_table, see, state

UNDO, REDO = {"action": "undo"}, {"action": "redo"}


def _game(client, made):
    """What everybody sees of the game: plays, scores, board."""
    now = state(client, made, made["watch_token"]).json()
    return now["history"], now["view"]["scores"], now["view"]["board"]


def test_nothing_is_put_back_where_nothing_was_taken(client):
    """The refusal says so, at the beginning and after something else was played."""
    made = new_table(client)
    first = act(client, made, REDO)
    act(client, made, PLAY)
    act(client, made, UNDO)
    act(client, made, {"action": "pass", "player": "Ann"})
    later = act(client, made, REDO)

    assert ["nothing_to_redo"] * 2 == [x.json()["error"]["code"] for x in (first, later)]


def test_a_play_is_put_back_as_it_was(client):
    """Scores, board and history are those before, twice over, and it is said."""
    made = new_table(client)
    act(client, made, PLAY)
    act(client, made, {"action": "pass", "player": "Bob"})
    before = _game(client, made)
    for _ in range(2):
        act(client, made, UNDO)
    said = [act(client, made, REDO).json()["say"] for _ in range(2)]

    assert before == _game(client, made)
    assert "Put back: AT of Ann." == said[0][0]


def test_a_picture_alone_does_not_end_it(client):
    """Hands and blurred pictures come between; what the game was is put back."""
    made = new_table(client)
    see(client, made, board(H7="CAT"))
    before = _game(client, made)
    act(client, made, UNDO)
    see(client, made, board(A1="Q"))
    offered = state(client, made, made["host_token"]).json()["redo"]
    again = act(client, made, REDO)

    assert (True, 200) == (offered, again.status_code)
    assert before == _game(client, made)


def test_what_was_put_back_is_kept(client, session):
    """A server that starts again knows it, and it can be taken back again."""
    made = new_table(client)
    act(client, made, PLAY)
    act(client, made, UNDO)
    act(client, made, REDO)
    before = _game(client, made)
    session.tables.forget(made["table"])
    again = _game(client, made)
    undone = act(client, made, UNDO)

    assert before == again
    assert 200 == undone.status_code
    assert [] == _game(client, made)[0]


def test_a_question_is_open_again(client):
    """A blank whose letter was asked for is asked for after it was taken back and put back."""
    made = new_table(client)
    see(client, made, board(H7="A?"))
    asked = state(client, made, made["host_token"]).json()["questions"]
    act(client, made, UNDO)
    between = state(client, made, made["host_token"]).json()["questions"]
    act(client, made, REDO)

    assert [("blank", "H8", "Ann")] == [(q["field"], q["square"], q["player"]) for q in asked]
    assert [] == between
    assert asked == state(client, made, made["host_token"]).json()["questions"]
