"""`python -m arcproof.alone NAME... -- COMMAND...`: a command for which modules of these names do not exist.

So a submission cannot import one that lies beside it.  A name that a library has is left to the library.
An answer of the wrong form is a divergence, like any other mistake of a submission.
"""

import sys
from importlib.util import find_spec

from arcproof.__main__ import main
from arcproof.properties.conformance.calls import Calls


class Hidden:
    """Finds no module, and lets nobody else find these."""

    def __init__(self, names: set[str]) -> None:
        """Those that are not libraries."""
        self._names = {name for name in names if find_spec(name) is None}

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """As Python asks every finder."""
        del path, target
        if name in self._names:
            raise ModuleNotFoundError(f"{name} is another submission")


if __name__ == "__main__":
    end = sys.argv.index("--")
    Calls.forgives_form = True
    sys.meta_path.insert(0, Hidden(set(sys.argv[1:end])))  # type: ignore[arg-type,unused-ignore]
    sys.argv[1:] = sys.argv[end + 1 :]
    main()
