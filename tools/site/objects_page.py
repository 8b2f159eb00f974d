"""The reference of the types and functions that the interface for Python is made of, from docstrings by
mkdocstrings.
"""

from tools.site.markdown import page

INTRODUCTION = """\
# Objects in Python

[arcproof from Python](python.md) has the functions that correspond to commands.
Here are the types that they take and return, and what your own tests and programs can use besides.
"""
SECTIONS = {
    "Systems and configurations": (
        "arcproof.transitions.system", "arcproof.transitions.configuration", "arcproof.transitions.graph",
        "arcproof.transitions.errors",
    ),
    "Graphs, classes, strategies": (
        "arcproof.generators.strategies", "arcproof.generators.enumeration", "arcproof.generators.classes",
        "arcproof.generators.graph_classes",
    ),
    "Verdicts and reports": (
        "arcproof.properties.verdict", "arcproof.properties.evidence", "arcproof.properties.finding",
        "arcproof.properties.report",
    ),
    "Parsers": ("arcproof.classifiers.parser",),
    "Tests and drivers": ("arcproof.testing", "arcproof.properties.conformance.driver"),
}  # fmt: skip


def objects_page() -> str:
    """The modules by what they are for; mkdocstrings fills them in."""
    lines = [INTRODUCTION]
    for title, modules in SECTIONS.items():
        lines += [f"## {title}", ""]
        for module in modules:
            lines += [f"### `{module}`", "", f"::: {module}", "    options:", "      heading_level: 4", ""]
    return page(*lines)
