"""simkit: a laboratory for the rules of trictrac."""

__version__ = "0.1.0"
