"""The commands of `kibitz`: one file a command parses, calls and prints."""
