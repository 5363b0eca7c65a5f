"""The rules of six word games: values in, values out.

Nothing here reads a file, a clock, chance or a picture; time arrives as `Action.at`.
"""
