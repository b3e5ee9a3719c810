"""`python -m simkit` is `simkit`."""

from simkit.cli import main

if __name__ == "__main__":
    main()
