"""Word lists that users keep: made from installed dictionaries, or imported from files."""
