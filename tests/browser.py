"""A real browser for tests: Debian's chromium, found on PATH or named by ARCPROOF_CHROMIUM, driven by playwright.

`make chromium` installs it.  Without it the tests that need it are skipped, with the reason.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def chromium() -> str:
    """The path of the browser; the test is skipped where there is none."""
    pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[dev]'")
    path = os.environ.get("ARCPROOF_CHROMIUM") or shutil.which("chromium")
    if path is None or not Path(path).exists():
        pytest.skip("no chromium on PATH and none in ARCPROOF_CHROMIUM: make chromium installs Debian's")
    return path


@contextmanager
def launched() -> Iterator["Browser"]:
    """The browser, closed in the end."""
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # as root, in a container, chromium's own sandbox cannot be set up
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """A page with everything that it complained about or asked the network for."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", self._dialog)
        page.on("request", lambda request: self.requests.append(request.url))

    def _dialog(self, dialog: object) -> None:
        self.complaints.append("a dialog was opened")
        dismiss = getattr(dialog, "dismiss")  # noqa: B009 - typed only where playwright is installed
        dismiss()

    def open(self, address: str) -> "Page":
        """Go there and wait until it is loaded."""
        self.page.goto(address)
        return self.page
