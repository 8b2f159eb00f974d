"""The pages and files of the site that are made from the code."""

from typing import Any, Final

from arcproof.transitions.library import system_names
from tools.site import progress
from tools.site.classes_page import classes_page
from tools.site.commands_page import commands_page
from tools.site.documents_page import documents_page, schema_files
from tools.site.library_pages import index_page, system_pages
from tools.site.objects_page import objects_page
from tools.site.style import script, stylesheet

LIBRARY: Final = "library/index.md"


def pages() -> dict[str, str]:
    """Everything by its place on the site."""
    progress("pages made from the code")
    return {
        "commands.md": commands_page(),
        "json.md": documents_page(),
        "objects.md": objects_page(),
        "classes.md": classes_page(),
        LIBRARY: index_page(),
        **{f"library/{name}.md": text for name, text in system_pages(*system_names()).items()},
        **schema_files(),
        "stylesheets/arcproof.css": stylesheet(),
        "javascripts/runs.js": script(),
    }


def navigation(nav: list[Any]) -> list[Any]:
    """The navigation of mkdocs.yml, in which the library has its systems below it."""
    systems = [{name: f"library/{name}.md"} for name in system_names()]
    return [_with_systems(entry, systems) for entry in nav]


def _with_systems(entry: Any, systems: list[dict[str, str]]) -> Any:
    if isinstance(entry, dict):
        [(title, content)] = entry.items()
        if content == LIBRARY:
            return {title: [LIBRARY, *systems]}
        if isinstance(content, list):
            return {title: [_with_systems(inner, systems) for inner in content]}
    return entry
