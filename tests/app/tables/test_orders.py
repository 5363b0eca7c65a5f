"""What a table is asked to be: its name, its players' names."""

from __future__ import annotations

import pytest

from kibitz.app.tables.orders import OrderError, check_names, check_title


@pytest.mark.parametrize(("letters", "fits"), [(40, True), (41, False)])
def test_how_long_a_players_name_may_be(letters, fits):
    """Forty letters, counted without the blanks around it."""
    names = ["Ann", f"  {'b' * letters} "]
    if fits:
        assert ("Ann", "b" * letters) == check_names(names)
        return
    with pytest.raises(OrderError) as wrong:
        check_names(names)

    assert "bad_players" == wrong.value.code


@pytest.mark.parametrize(("letters", "fits"), [(80, True), (81, False)])
def test_how_long_a_tables_name_may_be(letters, fits):
    """Eighty letters."""
    if fits:
        assert "t" * letters == check_title("t" * letters)
        return
    with pytest.raises(OrderError) as wrong:
        check_title("t" * letters)

    assert "bad_name" == wrong.value.code
