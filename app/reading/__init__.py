"""Reads one photograph or frame, and writes the reading as JSON."""
