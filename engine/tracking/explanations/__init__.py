"""Explanations of a picture other than one plain play."""
