"""One page from the estimates of a run: figures, tables, words. Nothing is estimated here."""

from simkit.report.html import write_report

__all__ = ["write_report"]
