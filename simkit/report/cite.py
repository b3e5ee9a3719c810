"""How to cite a page: a sentence and a BibTeX entry, from what identifies the run and without a date."""

from __future__ import annotations

import re
from dataclasses import dataclass

AUTHORS = "The simkit authors"
WORK = "simkit, a laboratory for the rules of trictrac"


@dataclass(frozen=True)
class Citation:
    """The same in words and as BibTeX."""

    text: str
    bibtex: str


def citation(key: str, title: str, facts: tuple[str, ...]) -> Citation:
    """Cite a page.

    Parameters
    ----------
    key
        What tells it from others; other characters than letters, digits, `_`, `-` and `:` are left out.
    title
        Of the page.
    facts
        Version, run, seed and whatever else it takes to find the same numbers again.
    """
    said = ", ".join(facts)
    lines = (
        f"@misc{{{re.sub(r'[^A-Za-z0-9_:-]', '', key)},",
        f"  author = {{{{{AUTHORS}}}}},",
        f"  title = {{{_tex(f'{title} ({WORK})')}}},",
        f"  note = {{{_tex(said[:1].upper() + said[1:])}}}",
        "}",
    )
    return Citation(text=f"{AUTHORS}: {title}. In: {WORK}, {said}.", bibtex="\n".join(lines))


def _tex(text: str) -> str:
    """Text as TeX takes it."""
    return re.sub(r"([&%$#_{}])", r"\\\1", text).replace("\u202f", "~")
