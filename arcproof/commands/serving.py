"""The local server of `explore --open`: loopback only, one page, nothing stored, nothing that can be changed.

A request is answered only if its `Host` names this machine; this stops DNS rebinding, where a page from elsewhere has
its own name resolved to the loopback address.  Requests that such a page sends by itself are refused too (`Origin`,
`Sec-Fetch-Site`); a link that somebody follows is answered.  Only a few pages are made at once, and each takes a bounded
time (`playground`).

However many connections there are, a new one is read: where too many are open, the oldest is closed, first of those
whose request has not arrived.  No connection lasts longer than its deadline.
"""

import socket
import sys
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from threading import BoundedSemaphore, Lock
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
MAX_CONNECTIONS: Final = 128
SECONDS_TO_ASK: Final = 10.0
"""Within which a request must have arrived."""
SECONDS_TO_ANSWER: Final = 90.0
"""Within which the answer must have been made and read."""


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
        self._lock = Lock()
        self._asking: dict[object, float] = {}
        self._answered: dict[object, float] = {}

    def process_request(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        """Read the request in a thread of its own, after closing the oldest connections if there are too many."""
        with self._lock:
            self._asking[request] = time.monotonic()
            waiting = chain(self._asking, self._answered)
            surplus = [next(waiting) for _ in range(len(self._asking) + len(self._answered) - MAX_CONNECTIONS)]
        self._hang_up(surplus)
        super().process_request(request, client_address)

    def has_asked(self, request: object) -> None:
        """Note that the request of a connection has arrived."""
        with self._lock:
            self._asking.pop(request, None)
            self._answered[request] = time.monotonic()

    def service_actions(self) -> None:
        """Close the connections whose time is up; this is called twice a second."""
        now = time.monotonic()
        deadlines = (self._asking, SECONDS_TO_ASK), (self._answered, SECONDS_TO_ANSWER)
        with self._lock:
            late = [one for group, seconds in deadlines for one, since in group.items() if now - since > seconds]
        self._hang_up(late)

    def _hang_up(self, connections: list[object]) -> None:
        """Close connections; their threads then end by themselves."""
        for connection in connections:
            self._forget(connection)
            assert isinstance(connection, socket.socket)
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _forget(self, connection: object) -> None:
        with self._lock:
            self._asking.pop(connection, None)
            self._answered.pop(connection, None)

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        """Close a connection that has been answered, or that was abandoned."""
        self._forget(request)
        super().shutdown_request(request)

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
        self.server.has_asked(self.connection)
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
