"""Results of a kept table: records, pages, films, analyses, the hall of fame."""
