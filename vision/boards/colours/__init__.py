"""What colours tell of a square: bare, a blank, a card, burnt out, of which set."""
