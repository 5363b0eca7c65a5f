"""Commands on tables that are kept: listed, written out, filmed, analysed."""
