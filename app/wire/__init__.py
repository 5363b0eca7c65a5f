"""Shapes of all JSON that leaves: HTTP, sockets, events, spectators, other servers."""
