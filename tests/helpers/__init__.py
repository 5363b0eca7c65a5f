"""Shared by several tests: pictures, made-up readings, labelled data."""
