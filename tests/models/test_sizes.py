"""Networks say which sizes of pictures they take."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.models.session import ANY_SIZE, load_model


@pytest.mark.parametrize(("name", "step"), ANY_SIZE.items())
def test_a_network_takes_all_multiples_of_its_step_and_nothing_else(name, step):
    """Odd multiples too; what does not fit is refused before it is looked at."""
    model = load_model(name)
    high, wide = (
        np.zeros((1, *sides, 3), np.uint8) for sides in ((step * 5, step * 4), (step, 8))
    )

    assert 1 == len(model.run(high))
    with pytest.raises(ValueError, match=f"multiples of {step}"):
        model.run(wide)


def test_a_network_of_one_size_takes_no_other():
    """The message says which."""
    with pytest.raises(ValueError, match=r"expected pictures of shape \(N, 256, 256, 3\)"):
        load_model("lattice").run(np.zeros((1, 250, 256, 3), np.uint8))
