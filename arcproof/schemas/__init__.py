"""JSON Schemas of everything arcproof prints as JSON: fields may be added, never renamed.

>>> import json
>>> from importlib.resources import files
>>> json.loads(files("arcproof.schemas").joinpath("verify.schema.json").read_text())["title"]
'Claims and their verdicts'
"""
