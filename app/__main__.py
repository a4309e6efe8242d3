"""`python -m app`: the command line, as `./billstream` starts it."""

from app.cli import main


main()
