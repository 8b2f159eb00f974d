"""The style sheet and the script of reports, for the pages of the site that show the same things.

A report is a page of its own, and its style sheet speaks of the whole page.  On the site it holds inside `.arcproof`,
with the colours of the theme, and sizes are taken from the theme, in which a `rem` is a quarter larger.
"""

import re

from arcproof.reports.page import asset

_ROOT = re.compile(r"^:root \{\n(.*?)^\}\n", re.MULTILINE | re.DOTALL)
_WHOLE_PAGE = re.compile(
    r"^(:root\[|html|body|main|footer|a |a\{|h[1-6][ ,]|\* |code " r"|section|@media print).*?$", re.MULTILINE
)
_REM = re.compile(r"(?<![\w.])(\d*\.?\d+)rem\b")


def stylesheet() -> str:
    """What a report looks like, inside `.arcproof`."""
    text = str(asset("style.css"))
    variables = _ROOT.search(text)
    assert variables is not None, "the style sheet of reports has no :root"
    rest = text.replace(variables[0], "").partition("@media print")[0]
    rest = _WHOLE_PAGE.sub("", rest)
    return _scaled(
        ":root {\n"
        + variables[1].replace("  color-scheme: light dark;\n", "")
        + "}\n.arcproof { color-scheme: light; }\n[data-md-color-scheme=slate] .arcproof { color-scheme: dark; }\n"
        + f".arcproof {{\n{rest}}}\n"
    )


def _scaled(text: str) -> str:
    return _REM.sub(lambda found: f"{float(found[1]) * 0.8:.4g}rem", text)


def script() -> str:
    """What lets runs be stepped through."""
    return str(asset("runs.js"))
