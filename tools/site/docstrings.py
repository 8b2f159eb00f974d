"""What mkdocstrings is told about our docstrings: the examples in them are sessions, fenced as such."""

from typing import Any

import griffe

from tools.site.markdown import fenced_sessions


class Sessions(griffe.Extension):  # type: ignore[misc, unused-ignore] # where griffe is not installed
    """Called by mkdocstrings for every object whose docstring it shows."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Fence the examples."""
        if obj.docstring is not None:
            obj.docstring.value = fenced_sessions(obj.docstring.value)
