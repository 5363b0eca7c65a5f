"""Frankenscrabbards (rules FS-1 to FS-24)."""
