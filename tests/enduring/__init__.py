"""Parts of `endurance.py`: inputs, kills, crowds, and the server that they attack."""
