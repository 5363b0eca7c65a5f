"""Shared by all board games: premium squares, names of squares, connection, points, plays."""
