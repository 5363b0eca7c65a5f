"""What can be wrong with kept tables, for who runs the server and for everybody else."""

from __future__ import annotations

import pytest

from kibitz.app.common.storage.kept import Damage, DamagedTableError, LeaseLostError, StorageError


@pytest.mark.parametrize(
    ("code", "passing", "slow"),
    [
        ("storage_full", True, False),
        ("storage_gone", True, False),
        ("storage_locked", True, True),
        ("storage_hung", True, True),
        ("storage_damaged", False, False),
        ("written_elsewhere", False, False),
        ("something_new", False, False),
    ],
)
def test_what_may_pass_is_tried_again(code, passing, slow):
    """Where finding it out again keeps people waiting somebody else tries."""
    error = StorageError(code, "the place /games")

    assert (passing, slow) == (error.is_temporary, error.slow)


@pytest.mark.parametrize(
    "code", ["storage_full", "storage_hung", "table_damaged", "something_new"]
)
def test_the_place_is_named_only_to_who_runs_the_server(code):
    """Everybody else reads a sentence all the same."""
    error = StorageError(code, "the place /games")

    assert "the place /games" == str(error) == error.message
    assert "/games" not in error.public
    assert error.public


@pytest.mark.parametrize(
    ("players", "readable", "said"),
    [
        ((), 0, "table t is damaged and set aside: no such game; no step is whole"),
        (
            ("Ann", "Bob"),
            3,
            "table t (Ann, Bob) is damaged and set aside: no such game; the first",
        ),
    ],
)
def test_a_damaged_table_is_named_with_what_is_whole(players, readable, said):
    """And with the call that writes what can be read."""
    error = DamagedTableError(Damage("t", players, "no such game", readable))

    assert "table_damaged" == error.code
    assert error.message.startswith(said)
    assert "'kibitz export t'" in error.message
    assert (f"the first {readable} steps are whole" in error.message) == bool(readable)


def test_a_lost_lease_names_its_table():
    """So that the call can be passed on."""
    error = LeaseLostError("t")

    assert ("lease_lost", "t") == (error.code, error.table)
