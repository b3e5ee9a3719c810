"""One page from the estimates of a run, or of a comparison: figures, tables, words. Nothing is estimated."""

from simkit.report.comparison import write_comparison
from simkit.report.html import write_report

__all__ = ["write_comparison", "write_report"]
