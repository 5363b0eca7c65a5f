"""Classic Scrabble (rules CL-1 to CL-19)."""
