"""Kibitz: point a camera at a real word-game board and it keeps the game."""
