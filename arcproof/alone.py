"""`python -m arcproof.alone NAME... -- COMMAND...`: a command for which modules of these names do not exist.

This keeps a submission from importing another in the same folder.  Modules of installed libraries are not hidden.
An answer of the wrong form counts as a divergence, like any other mistake of a submission.
"""

import sys
from importlib.util import find_spec

from arcproof.__main__ import main
from arcproof.properties.conformance.calls import Calls


class Hidden:
    """An import hook that hides modules."""

    def __init__(self, names: set[str]) -> None:
        """Hide these names, except those of installed libraries."""
        self._names = {name for name in names if find_spec(name) is None}

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Python's import hook: raise `ModuleNotFoundError` for a hidden name, otherwise find nothing."""
        del path, target
        if name in self._names:
            raise ModuleNotFoundError(f"{name} is another submission")


if __name__ == "__main__":
    end = sys.argv.index("--")
    Calls.forgives_form = True
    sys.meta_path.insert(0, Hidden(set(sys.argv[1:end])))  # type: ignore[arg-type,unused-ignore]
    sys.argv[1:] = sys.argv[end + 1 :]
    main()
