"""Reads the squares of one board."""
