"""Commands that start a server, for everybody at the board or for a look."""
