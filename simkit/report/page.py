"""What the part of a page that belongs to one question consists of; the rest of the page is shared."""

from __future__ import annotations

from dataclasses import dataclass

from simkit.report.figures import Figure
from simkit.report.numbers import Table


@dataclass(frozen=True, kw_only=True)
class Section:
    """A section of its own after the figures."""

    key: str
    """Its anchor on the page."""
    title: str
    text: tuple[str, ...] = ()
    groups: tuple[tuple[str, tuple[Table, ...]], ...] = ()
    """Tables under a label that opens and closes them; always open where the label is empty."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a question's file in `simkit.report` makes of a result."""

    summary: str
    """The answer in a sentence or two."""
    lead: Figure | None = None
    """A figure to stand right beneath the summary; it is the first."""
    details: tuple[tuple[str, str], ...] = ()
    """The numbers behind it, each paragraph with its heading."""
    words_title: str = "By pair of players"
    words: tuple[str, ...] = ()
    """Sentences beneath, under that title."""
    tables: tuple[Table, ...] = ()
    """The few tables that belong to the short answer."""
    figures: tuple[Figure, ...] = ()
    sections: tuple[Section, ...] = ()
    design: tuple[tuple[str, str], ...] = ()
    """How the numbers were made, as terms and their explanation; shared terms follow."""
    limits: tuple[str, ...] = ()
    """What the numbers do not say; shared limits follow."""
    at_once: str = ""
    """Which intervals hold all together, to be read after `except`; empty where each is for itself."""
