"""Outlets of events: other programs, files, webhooks, brokers."""
