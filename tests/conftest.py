"""What every test shares: property tests try the same examples each time."""

import tests.property_help  # noqa: F401 - chooses how examples are tried
