"""The target of the `pytest11` entry point: it only asks pytest for `arcproof.testing.plugin`.

pytest ends with an error if one module is registered under two names, as it would be if the entry point named the
plugin itself and a `conftest.py` or `-p` asked for it too.  This way it is asked for twice under the same name, which
is allowed.  For the same reason, do not load this module by name.

PYTEST_DONT_REWRITE
"""

pytest_plugins = ("arcproof.testing.plugin",)
