"""`python -m app` is `kibitz`."""

from kibitz.app.cli.main import main

if __name__ == "__main__":
    main()
