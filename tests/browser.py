"""Pages looked at in headless Chromium: what they fetch, whether they fit their window, how they print."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

BROWSER = next(
    (
        found
        for name in ("chromium", "chromium-browser", "google-chrome", "chrome")
        if (found := shutil.which(name))
    ),
    None,
)
QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
LOOK = """
function look(frame) {
  const page = frame.contentDocument, root = page.documentElement;
  const wide = [...page.body.querySelectorAll("*")].filter(one => {
    if (one.closest(".scroll") && !one.matches(".scroll")) return false;
    if (one.closest("details:not([open])") && !one.matches("details, summary")) return false;
    return one.getBoundingClientRect().right > root.clientWidth + 0.5;
  });
  const drawings = [...page.querySelectorAll("svg")].filter(one => !one.parentElement.closest("svg"));
  return {
    path: frame.dataset.path, width: root.clientWidth, scrolls: root.scrollWidth,
    beyond: wide.map(one => one.tagName + "." + one.className + "#" + one.id).slice(0, 5),
    scripts: page.scripts.length,
    fetched: frame.contentWindow.performance.getEntriesByType("resource").map(one => one.name),
    drawings: drawings.length,
    empty: drawings.filter(one => one.getBoundingClientRect().height < 40
      || one.querySelectorAll("path, circle, rect").length < 3).length,
    unnamed: drawings.filter(one => !(one.getAttribute("aria-label") || one.querySelector("title"))).length,
    headings: [...page.querySelectorAll("h1, h2, h3, h4")].map(one => Number(one.tagName[1])),
    letters: Math.min(...drawings.filter(one => one.closest(".board")).flatMap(one =>
      [...one.querySelectorAll("text")].map(text => text.getBoundingClientRect().height))),
  };
}
window.onload = () => {
  document.body.dataset.found = JSON.stringify([...document.querySelectorAll("iframe")].map(look));
};
"""


def looked_at(pages: Sequence[Path], widths: Sequence[int], scratch: Path) -> list[dict[str, Any]]:
    """Open every page at every width, in one browser, and say what was seen there."""
    frames = "".join(
        f'<iframe data-path="{page}" src="{page.resolve().as_uri()}" width="{width}" height="900" '
        'style="border:0"></iframe>'
        for page in pages
        for width in widths
    )
    wrapper = scratch / "wrapper.html"
    wrapper.write_text(f"<!DOCTYPE html><body>{frames}<script>{LOOK}</script>", encoding="utf-8")
    dumped = _run(scratch, "--allow-file-access-from-files", "--dump-dom", wrapper.as_uri())
    found = re.search(r'data-found="([^"]*)"', dumped)
    assert found, dumped[:500]
    seen: list[dict[str, Any]] = json.loads(html.unescape(found[1]))
    return seen


def printed_pages(page: Path, scratch: Path) -> int:
    """Print a page and count the sheets."""
    paper = scratch / "paper.pdf"
    _run(scratch, "--no-pdf-header-footer", f"--print-to-pdf={paper}", page.resolve().as_uri())
    return len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes()))


def _run(scratch: Path, *arguments: str) -> str:
    assert BROWSER is not None
    command = [BROWSER, *QUIET, f"--user-data-dir={scratch / 'profile'}", *arguments]
    return subprocess.run(command, capture_output=True, timeout=300, check=True).stdout.decode()
