"""Observers: turn readings into views for the tracker, one for each kind of surface."""
