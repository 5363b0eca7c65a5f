"""Successive pictures: series, motion, reduced decoding."""
