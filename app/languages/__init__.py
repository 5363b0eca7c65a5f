"""Translation: catalogues of the languages, and answers in them."""
