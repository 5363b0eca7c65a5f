"""What is said to people in their own language: catalogues, and how answers are translated."""
