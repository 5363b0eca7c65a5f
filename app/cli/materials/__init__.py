"""Commands on what comes with Kibitz: words, tile sets, rules, and the self-test."""
