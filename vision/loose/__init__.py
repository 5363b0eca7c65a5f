"""Tiles that lie on no board."""
