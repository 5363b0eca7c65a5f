"""Plots are drawn to scale, and say what they show to those who do not see them."""

from __future__ import annotations

import re

from kibitz.app.archive.pages import bars, covered_board


def test_no_columns_make_an_empty_plot() -> None:
    """Nothing is divided by nothing."""
    assert "<rect" not in bars("Nothing", [])


def test_bars_are_as_tall_as_their_values() -> None:
    """The tallest fills the plot, half of it is half as tall."""
    drawn = bars("Words", [("a", 10), ("b", 5), ("c", 0)])
    tall = [float(x) for x in re.findall(r'height="([\d.]+)" rx', drawn)]

    assert [1.0, 0.5, 0.0] == [x / tall[0] for x in tall]
    assert 'aria-label="Words. a: 10; b: 5; c: 0"' in drawn


def test_shares_are_told_as_percentages() -> None:
    """Of premium squares, for instance."""
    assert "used: 25 %" in bars("Squares", [("used", 0.25)], share=True)


def test_names_of_strangers_are_text() -> None:
    """A column may be called anything."""
    assert "<b>" not in bars("<b>", [("<b>", 1)])


def test_a_square_has_the_more_colour_the_more_games_cover_it() -> None:
    """225 squares; the one that most games cover is named."""
    drawn = covered_board("Where", {(7, 7): 4, (0, 0): 2}, 4)

    assert 225 == drawn.count("<rect")
    assert 'aria-label="Where. Most often covered: H8, in 4 of 4 games"' in drawn
    assert (1, 1) == (drawn.count('fill-opacity="1.00"'), drawn.count('fill-opacity="0.53"'))
