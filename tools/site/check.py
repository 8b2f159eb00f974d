"""Look at the site that was built: every link leads somewhere, and nothing is loaded from another host.

    python -m tools.site.check build/site

Links inside the site must lead to a file, and to an anchor that its page has.  Links that a reader follows may lead to
other hosts; what a browser loads by itself may not: scripts, style sheets, fonts, pictures, frames.  A sitemap must
list pages.
"""

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

LOADED: Final = {
    "script": ("src",), "img": ("src", "srcset"), "iframe": ("src",), "source": ("src", "srcset"), "audio": ("src",),
    "video": ("src", "poster"), "embed": ("src",), "object": ("data",), "image": ("href", "xlink:href"), "use": ("href", "xlink:href"),
}  # fmt: skip
"""What a browser loads by itself, by the tags and attributes that say so; of `link` it depends on `rel`."""
FOLLOWED: Final = frozenset({"canonical", "next", "prev", "author", "license", "help"})
"""Values of `rel` for which nothing is loaded."""
NOT_FOUND: Final = "404.html"
"""Shown in any folder by a server, so that its links begin at the root of the site."""
PLAYGROUND: Final = "playground/index.html"
"""Where there is no npm, the site has no such page."""
_FAR: Final = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_IN_STYLE: Final = re.compile(r"""(?:url\(\s*|@import\s+)["']?((?:https?:)?//[^"')\s]+)""", re.IGNORECASE)
_IN_SCRIPT: Final = re.compile(
    r"""(?:importScripts|fetch|import|Worker|WebSocket)\(\s*["'`]((?:https?:|wss?:)?//[^"'`]+)"""
)


class _Page(HTMLParser):
    """The links, the anchors and the loaded addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.loaded: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag says."""
        found = {name: value or "" for name, value in attrs}
        self.anchors.update(found[name] for name in ("id", "name") if found.get(name))
        if tag in ("a", "area") and "href" in found:
            self.links.append(found["href"])
        if tag == "link" and "href" in found:
            far = frozenset(found.get("rel", "").split()) <= FOLLOWED
            (self.links if far and not _FAR.match(found["href"]) else self.loaded).append(found["href"])
        self.loaded += [found[name] for name in LOADED.get(tag, ()) if found.get(name)]
        self.loaded += _IN_STYLE.findall(found.get("style", ""))
        self.inside = tag

    def handle_data(self, data: str) -> None:
        """Style sheets and scripts may stand in the page itself."""
        if self.inside == "style":
            self.loaded += _IN_STYLE.findall(data)
        if self.inside == "script":
            self.loaded += _IN_SCRIPT.findall(data)

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - the signature of HTMLParser
        """Text after this is not of the tag."""
        self.inside = ""


def problems(site: Path) -> list[str]:
    """What is wrong with the site, one per line."""
    pages = {path.relative_to(site).as_posix(): _read(path) for path in sorted(site.rglob("*.html"))}
    found = [] if pages else [f"{site}: there is no page"]
    for name, page in pages.items():
        found += [f"{name}: {address} is loaded from another host" for address in page.loaded if _FAR.match(address)]
        near = (address for address in page.loaded if not _FAR.match(address) and not address.startswith("data:"))
        found += (problem for address in (*page.links, *near) for problem in _followed(site, name, address, pages))
    for path in sorted([*site.rglob("*.css"), *site.rglob("*.js"), *site.rglob("*.svg")]):
        found += [
            f"{path.relative_to(site).as_posix()}: {address} is loaded from another host" for address in _asked(path)
        ]
    if any("<loc>" not in path.read_text(encoding="utf-8") for path in site.glob("sitemap.xml")):
        found.append("sitemap.xml: it lists no page")
    return found


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    return page


def _asked(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return _IN_SCRIPT.findall(text) if path.suffix == ".js" else _IN_STYLE.findall(text)


def _followed(site: Path, name: str, address: str, pages: dict[str, _Page]) -> Iterator[str]:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return
    target = (site / name).parent / unquote(parts.path) if parts.path else site / name
    if name == NOT_FOUND and parts.path.startswith("/"):
        target = site / unquote(parts.path).lstrip("/")
    target = target / "index.html" if target.is_dir() else target
    try:
        there = target.resolve().relative_to(site.resolve()).as_posix()
    except ValueError:
        yield f"{name}: {address} leaves the site"
        return
    if not target.is_file() and there != PLAYGROUND:
        yield f"{name}: {address} leads nowhere"
    elif parts.fragment and there in pages and unquote(parts.fragment) not in pages[there].anchors:
        yield f"{name}: {address}: there is no such anchor"


def main() -> int:
    """Print what is wrong; 1 if something is."""
    site = Path(sys.argv[1])
    found = problems(site)
    for problem in found:
        print(problem, file=sys.stderr)
    print(f"{site}: {len(list(site.rglob('*.html')))} pages, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
