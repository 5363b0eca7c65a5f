"""Tracking: works out what pictures mean, as hypotheses ranked by the rules."""
