"""What is printed: ship cards, coordinate strips, fleet sheets, corner markers."""
