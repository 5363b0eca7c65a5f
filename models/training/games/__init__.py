"""Whole games as drawn pictures and films from a fixed camera."""
