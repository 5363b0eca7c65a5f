"""What pictures mean: hypotheses and explanations, ranked by the rules."""
