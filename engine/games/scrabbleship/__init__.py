"""ScrabbleShip (rules SS-1 to SS-35)."""
