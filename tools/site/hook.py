"""What MkDocs calls while it builds the site (`hooks` in mkdocs.yml)."""

from functools import cache
from pathlib import Path

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from tools.assemble import ROOT
from tools.site import generated, links, progress, sources
from tools.site.markdown import bars_in_code, plain_fences


@cache
def _places() -> dict[str, str]:
    """Where everything is: the documents, and the other files that they link to."""
    pages = sources.places()
    found = dict(pages)
    for source in pages:
        if source.endswith(".md"):
            for path in links.linked_files((ROOT / source).read_text(encoding="utf-8"), source, ROOT):
                found.setdefault(path, sources.static_place(path))
    return found


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the generated pages into the navigation."""
    config.nav = generated.navigation(config.nav or [])
    return config


def on_files(files: Files, /, *, config: MkDocsConfig) -> Files:
    """Add the documents that are not under docs/, what they link to, and the generated pages."""
    for source, place in _places().items():
        if not source.startswith("docs/"):
            files.append(File.generated(config, place, abs_src_path=str(ROOT / source)))
    for place, content in generated.pages().items():
        files.append(File.generated(config, place, content=content))
    return files


def on_env(env: Environment, /, *, config: MkDocsConfig, files: Files) -> Environment:  # noqa: ARG001 - MkDocs' signature
    """Say that pages are written from here on."""
    progress(f"{len(files.documentation_pages())} pages are written")
    return env


def on_post_build(*, config: MkDocsConfig) -> None:
    """Leave out the sitemap: it lists addresses, and the site has none; so it would be empty."""
    for name in ("sitemap.xml", "sitemap.xml.gz"):
        (Path(config.site_dir) / name).unlink(missing_ok=True)


def on_page_markdown(markdown: str, /, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - MkDocs' signature
    """Make the links and the code blocks of a document right."""
    source = _sources().get(page.file.src_uri)
    if source is None:
        return markdown
    return links.outside_code(links.on_the_site(plain_fences(markdown), source, _places(), ROOT), bars_in_code)


@cache
def _sources() -> dict[str, str]:
    return {place: source for source, place in _places().items()}
