"""From pictures to readings."""
