"""The parts of `films.py`: what is filmed, how it is drawn, how a table is judged."""
