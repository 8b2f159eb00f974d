"""JSON Schemas of everything arcproof prints as JSON: fields may be added, never renamed.

They are made of the types in `arcproof.documents` by `make docs`.

>>> import json
>>> from importlib.resources import files
>>> json.loads(files("arcproof.schemas").joinpath("verify.schema.json").read_text())["title"]
'Claims and their verdicts'
"""
