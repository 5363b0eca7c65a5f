"""How many pictures a camera brings a second, and what they cost."""

from __future__ import annotations

from kibitz.app.cameras.load import Load


def test_nothing_costs_nothing():
    """A camera that never sent a picture."""
    assert (0.0, 0.0, 0) == (Load().a_second(5.0), Load().share(5.0), Load().count)


def test_a_steady_camera_has_its_rate_and_share():
    """Four pictures a second of 20 ms each are 8 % of a core; the first moments count as one."""
    load = Load()
    load.note(0.02, 0.0)
    first = load.a_second(0.0)
    for number in range(1, 81):
        load.note(0.02, number / 4)

    assert 1.0 == first
    assert (4.1, 0.082) == (load.a_second(20.0), round(load.share(20.0), 4))
    assert 81 == load.count


def test_what_was_long_ago_counts_no_more():
    """After the time over which is counted the rate is nothing again, and the count stays."""
    load = Load(2.0)
    load.note(0.5, 0.0)

    assert (1.0, 0.5) == (load.a_second(1.0), load.share(1.0))
    assert (0.0, 0.0, 1) == (load.a_second(2.5), load.share(2.5), load.count)
