"""The shapes of all that leaves as JSON: HTTP, sockets, events, spectators, other servers."""
