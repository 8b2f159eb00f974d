"""Write every session anew."""

import sys
import tempfile
from pathlib import Path

import tests.conftest  # noqa: F401  (the environment of the tests)
from tests.sessions import SESSIONS, played

for path in SESSIONS:
    if len(sys.argv) == 1 or path.stem in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            path.write_text(played(path.read_text(encoding="utf-8"), Path(folder)), encoding="utf-8")
