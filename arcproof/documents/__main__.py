"""Write the schemas: `python -m arcproof.documents`."""

from pathlib import Path

import arcproof.schemas
from arcproof.documents import NAMES, schema_of

for name in NAMES:
    place = Path(arcproof.schemas.__path__[0]) / f"{name}.schema.json"
    place.write_text(schema_of(name), encoding="utf-8")
