"""Prints ship cards, coordinate strips, fleet sheets and corner markers."""
