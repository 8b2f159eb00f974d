"""The documentation site: `make docs` builds it into build/site.

`mkdocs.yml` has the navigation and the settings, `hook.py` is what MkDocs calls.  `sources.py` says where the files of
the repository are on the site, `links.py` makes links right there; `generated.py` lists the pages that are made from
the code.
`check.py` looks at what was built: links, anchors, and that nothing is loaded from another host.
"""

import sys


def progress(line: str) -> None:
    """Print how far the site is; it takes minutes to build."""
    print(f"site: {line}", file=sys.stderr, flush=True)
