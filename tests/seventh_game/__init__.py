"""Long Words: a seventh game in one folder, which no other file of Kibitz knows."""
