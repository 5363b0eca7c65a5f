"""Commands on what comes with Kibitz: words, tile sets, rules, and the check of all of it."""
