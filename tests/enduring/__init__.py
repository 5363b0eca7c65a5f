"""The parts of `endurance.py`: inputs, kills, crowds, and the server they are aimed at."""
