"""Number of examples of a property test: a few, always the same, or many at random.

`pytest` tries the same few examples every time. `python tests/fuzz.py` sets `KIBITZ_FUZZ` to a
factor: so many times more examples, chosen at random.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

FACTOR = int(os.environ.get("KIBITZ_FUZZ", "0"))

# how long examples take is the machine's business
BUSY = [HealthCheck.too_slow]

settings.register_profile("same", derandomize=True, database=None, suppress_health_check=BUSY)
settings.register_profile("random", derandomize=False, print_blob=True, suppress_health_check=BUSY)
settings.load_profile("random" if FACTOR else "same")


def tries(examples: int) -> settings:
    """Settings of a property test with so many examples in an ordinary run."""
    return settings(max_examples=examples * max(FACTOR, 1), deadline=None)
