"""Where things are kept that would take long to make again: compiled code, proofs."""

import os
import tempfile
from pathlib import Path


def cache_folder(kind: str) -> Path | None:
    """A folder under `$ARCPROOF_CACHE`, or under `arcproof` in the user's cache folder; None if there is none to write to."""
    home = os.environ.get("ARCPROOF_CACHE") or None
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "arcproof" if home is None else Path(home)
    folder = base / kind
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def written(path: Path, text: str) -> Path:
    """The file with this text; one that has another is replaced at once, so that a reader never sees half of it."""
    content = text.encode()
    if path.is_file() and path.read_bytes() == content:
        return path
    replaced(path, content)
    return path


def replaced(path: Path, content: bytes) -> None:
    """Put the content where the path says, at once."""
    with tempfile.NamedTemporaryFile("wb", dir=path.parent, delete=False) as file:
        file.write(content)
    os.replace(file.name, path)
