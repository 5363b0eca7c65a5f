"""Vision: turns pictures into readings."""
