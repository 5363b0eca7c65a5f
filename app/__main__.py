"""`python -m app` is `kibitz`."""

from app.cli import main

if __name__ == "__main__":
    main()
