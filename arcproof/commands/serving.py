"""The local server of `explore --open`: loopback only, one page, nothing stored, nothing that can be changed.

A request is answered only if its `Host` names this machine; this stops DNS rebinding, where a page from elsewhere has
its own name resolved to the loopback address.  Requests that such a page sends by itself are refused too (`Origin`,
`Sec-Fetch-Site`); a link that somebody follows is answered.  Only a few pages are made at once, and each takes a bounded
time (`playground`).
"""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from arcproof.reports.playground import Playground

LOOPBACK: Final = "127.0.0.1"
POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
AT_ONCE: Final = 4
"""How many pages are made at once; other requests wait."""
WAITING: Final = 30.0
"""Seconds after which the server answers that it is busy."""


class PlayServer(ThreadingHTTPServer):
    """Serves one playground on the loopback address; port 0 takes any that is free."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, playground: "Playground", port: int) -> None:
        """Bind to a port, and note the names that requests may use for the server."""
        super().__init__((LOOPBACK, port), _Handler)
        self.playground = playground
        self.address = f"http://{LOOPBACK}:{self.server_port}/"
        self.names = {f"{host}:{self.server_port}" for host in (LOOPBACK, "localhost")}
        self.at_once = BoundedSemaphore(AT_ONCE)

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002 - socketserver's signature
        """Ignore broken connections; print anything else in one line: it is a bug in arcproof."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            print(f"a page could not be made: {type(error).__name__}: {error}", file=sys.stderr)


class _Handler(BaseHTTPRequestHandler):
    server: PlayServer
    server_version = "arcproof"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        """Send the page for the requested address."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        """Send the headers without the page."""
        self._answer(with_body=False)

    def _answer(self, with_body: bool) -> None:
        if self.headers.get("Host") not in self.server.names:
            self._send(421, "this server answers only to its own address", "text/plain", with_body)
            return
        if self._is_foreign():
            self._send(403, "this server answers only to its own page", "text/plain", with_body)
            return
        try:
            parts = urlsplit(self.path)
            query = {name: values[-1] for name, values in parse_qs(parts.query, max_num_fields=20).items()}
        except ValueError as error:
            self._send(400, str(error), "text/plain", with_body)
            return
        if parts.path != "/":
            self._send(404, "there is only one page, /", "text/plain", with_body)
            return
        if not self.server.at_once.acquire(timeout=WAITING):
            self._send(503, "too many pages are being made; try again", "text/plain", with_body)
            return
        try:
            status, text = self.server.playground.page(query)
        finally:
            self.server.at_once.release()
        self._send(status, text, "text/html", with_body)

    def _is_foreign(self) -> bool:
        """Whether another site made the browser send the request; following a link is the reader's own request."""
        origin, site = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site", "none")
        if origin is not None and origin not in {f"http://{name}" for name in self.server.names}:
            return True
        followed = self.headers.get("Sec-Fetch-Mode") == "navigate" and self.headers.get("Sec-Fetch-Dest") == "document"
        return site not in ("none", "same-origin") and not followed

    def _send(self, status: int, text: str, kind: str, with_body: bool) -> None:
        body = text.encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is http.server's
        """Print nothing on the terminal."""
