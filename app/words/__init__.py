"""Word lists that people keep: made from dictionaries that are installed, or brought as files."""
