"""Commands on kept tables: list, export, film, analyse."""
