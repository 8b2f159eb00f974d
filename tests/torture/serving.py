"""The local server of `explore --open`, attacked: malformed, slow, many and foreign requests, and states that would
cost much.

Asked of it: only requests that name it in `Host`, and that no other site sent (`Origin`, `Sec-Fetch-Site`), get the
page; nothing is run or changed; whatever is sent, it goes on answering others, within `LONGEST_ANSWER`, and does not
grow by more than `MOST_GROWTH`.
"""

import http.client
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from tests.torture.bases import ROOT
from tests.torture.children import surroundings
from tests.torture.table import Row
from tests.torture.worker import resident

LONGEST_ANSWER = 15.0
MOST_GROWTH = 400 * 2**20
SCRIPT = (
    "import sys\n"
    "from arcproof.commands.serving import PlayServer\n"
    "from arcproof.reports.playground import Playground\n"
    "from arcproof.transitions.system import load\n"
    "server = PlayServer(Playground(load(sys.argv[1])), 0)\n"
    "print(server.server_port, flush=True)\n"
    "server.serve_forever()\n"
)


@contextmanager
def serving(system: str, cache: Path, said: list[str]) -> Iterator[tuple[int, int]]:
    """The server as a process of its own: its port and its number; afterwards what it said on standard error."""
    child = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, system],
        env=surroundings(cache),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        yield int(child.stdout.readline()), child.pid
    finally:
        child.kill()
        said.append(child.communicate()[1])


def asked(
    port: int, query: dict[str, str] | None = None, headers: dict[str, str] | None = None, method: str = "GET"
) -> tuple[int, str]:
    """One request as a browser sends it; status and text."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST_ANSWER * 2)
    try:
        connection.request(method, "/?" + urlencode(query or {}, errors="replace"), headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")
    finally:
        connection.close()


def raw(port: int, data: bytes, wait: float = 2.0) -> bytes:
    """Bytes sent as they are, and what comes back within a while."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection, suppress(OSError):
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        return connection.recv(65536)
    return b""


def torture(cache: Path, seconds: float, seed: int) -> list[Row]:
    """A row for each kind of attack."""
    said: list[str] = []
    with serving("swap", cache, said) as (port, process):
        asked(port)
        before = resident(process)
        share = seconds / 4
        rows = [
            _foreign(port),
            _malformed(port, Random(f"{seed}/malformed"), share),
            _slow(port),
            _many(port, share),
            _costly(port, Random(f"{seed}/costly"), share),
        ]
        grown = resident(process) - before
    rows[-1].note = (rows[-1].note + f"; the server grew by {grown / 2**20:.0f} MB").strip("; ")
    if said[0].strip():
        rows[1].fail("says something on standard error", said[0][-3000:])
    if grown > MOST_GROWTH:
        rows[-1].fail("the server grows", f"by {grown / 2**20:.0f} MB")
    return rows


def _still_answers(port: int, row: Row, after: str) -> None:
    began = time.monotonic()
    try:
        status, text = asked(port)
    except OSError as error:
        row.fail("the server does not answer any more", f"after {after}: {error}")
        return
    if status != 200 or "<html" not in text:
        row.fail("the server answers wrongly", f"after {after}: {status}")
    if time.monotonic() - began > LONGEST_ANSWER:
        row.fail("others wait", f"{time.monotonic() - began:.0f} s after {after}")


def _foreign(port: int) -> Row:
    """Requests that another site makes a browser send, and names that are not ours."""
    row = Row("server", "requests of other sites and for other names")
    began = time.monotonic()
    own = {"Host": f"127.0.0.1:{port}"}
    refused: list[dict[str, str]] = [
        {"Host": host} for host in ("", "evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", "127.0.0.1", f"[::1]:{port}", f"127.0.0.1:{port + 1}")
    ]  # fmt: skip
    refused += [
        {**own, "Origin": origin}
        for origin in ("http://evil.example", "null", f"http://127.0.0.1:{port + 1}", f"https://127.0.0.1:{port}")
    ]
    refused += [{**own, "Sec-Fetch-Site": site} for site in ("cross-site", "same-site")]
    for headers in refused:
        status, text = asked(port, headers=headers)
        row.tried += 1
        if status == 200 or "<html" in text:
            row.fail(f"answers {'with ' + next(reversed(headers))}", str(headers))
    allowed = [
        own,
        {"Host": f"localhost:{port}"},
        {**own, "Origin": f"http://127.0.0.1:{port}"},
        {**own, "Sec-Fetch-Site": "none"},
        {**own, "Sec-Fetch-Site": "same-origin"},
    ]
    for headers in allowed:
        row.tried += 1
        if asked(port, headers=headers)[0] != 200:
            row.fail("refuses its own page", str(headers))
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH"):
        row.tried += 1
        if asked(port, headers=own, method=method)[0] < 400:
            row.fail(f"answers to {method}", method)
    row.seconds = time.monotonic() - began
    return row


def _malformed(port: int, draw: Random, seconds: float) -> Row:
    """Requests that are none: cut off, too long, with bytes that do not belong there."""
    row = Row("server", "malformed requests")
    began = time.monotonic()
    good = f"GET /?heads=2,0,2&run=SHIFT HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    fixed = [
        b"", b"\r\n\r\n", b"GET", b"GET /\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\xff" * 400, b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n",
        good[:-2] + b"X: y\r\n" * 300 + b"\r\n", good[:-2] + b"X: " + b"y" * 70_000 + b"\r\n\r\n", b"GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
        good.replace(b"GET /", b"GET //["), good.replace(b"2,0,2", b"%00%ff%fe"), good.replace(b"HTTP/1.1", b"HTTP/1.1\r\nContent-Length: -1"),
    ]  # fmt: skip
    number = 0
    while number < len(fixed) or time.monotonic() - began < seconds:
        data = fixed[number] if number < len(fixed) else _damaged(draw, good)
        number += 1
        answer = raw(port, data)
        row.tried += 1
        if answer[9:12] in (b"500", b"502", b"503", b"504"):
            row.fail("an error of the server's own", answer[:80].decode("latin-1"), data)
        if number % 50 == 0:
            _still_answers(port, row, "malformed requests")
    row.seconds = time.monotonic() - began
    return row


def _damaged(draw: Random, data: bytes) -> bytes:
    from tests.torture.mutation import changed_bytes

    return changed_bytes(draw, data)


def _slow(port: int) -> Row:
    """Many connections that send nothing, or a byte now and then, while somebody wants the page."""
    row = Row("server", "1,200 connections that send nothing or little")
    began = time.monotonic()
    waiting = []
    try:
        for number in range(1200):
            connection = socket.create_connection(("127.0.0.1", port), timeout=5)
            waiting.append(connection)
            if number % 2:
                connection.sendall(b"GET / HT")
            row.tried += 1
        _still_answers(port, row, "1,200 idle connections")
    except OSError as error:
        row.fail("does not accept connections", str(error))
    for connection in waiting:
        connection.close()
    _still_answers(port, row, "1,200 connections were closed")
    row.seconds = time.monotonic() - began
    return row


def _many(port: int, seconds: float) -> Row:
    """Sixteen at once, the same and different states; the same address gives the same page."""
    row = Row("server", "16 requests at once")
    began = time.monotonic()
    states = [
        {"heads": heads, "run": run}
        for heads in ("2,0,2", "0,1,2,3", "3,0,2,2,4")
        for run in ("", "SHIFT", "SHIFT SHIFT")
    ]
    alone = {str(state): asked(port, state)[1] for state in states}
    with ThreadPoolExecutor(16) as pool:
        while time.monotonic() - began < seconds:
            for state, (status, text) in zip(states, pool.map(lambda state: asked(port, state), states), strict=True):
                row.tried += 1
                if status != 200 or text != alone[str(state)]:
                    row.fail("another page when many ask", f"{state}: {status}")
    row.seconds = time.monotonic() - began
    return row


def random_tree(draw: Random, words: int) -> str:
    """Heads of any tree, mostly one with many crossing arcs."""
    order = draw.sample(range(1, words + 1), words)
    heads = {word: draw.choice((0, *order[:place])) for place, word in enumerate(order)}
    return ",".join(str(heads[word]) for word in range(1, words + 1))


def _costly(port: int, draw: Random, seconds: float) -> Row:
    """States as large as the page takes: every one is answered in bounded time, and others meanwhile too."""
    row = Row("server", "costly states")
    began, worst = time.monotonic(), 0.0
    while row.tried < 4 or time.monotonic() - began < seconds:
        heads = random_tree(draw, 40)
        state = draw.choice((
            {"heads": heads}, {"heads": heads, "run": "SHIFT " * draw.randrange(0, 40)},
            {"heads": ",".join("0" * 40), "run": "SHIFT " * 39},
            {"sentence": "w " * 40, "run": "SHIFT SHIFT SWAP SHIFT " * 40},
            {"heads": " ".join(f"{h}>{d}" for d in range(1, 41) for h in range(41) if h != d)[:7000]},
            {"sentence": "x" * 7_900},
        ))  # fmt: skip
        one = time.monotonic()
        try:
            with ThreadPoolExecutor(2) as pool:
                costly = pool.submit(asked, port, state)
                status, text = pool.submit(asked, port).result()
                other = time.monotonic() - one
                costly.result()
        except OSError as error:
            row.fail("a state gets no answer", str(error), repr(state).encode())
            continue
        took = time.monotonic() - one
        worst = max(worst, took)
        row.tried += 1
        if took > LONGEST_ANSWER:
            row.fail("a state takes too long", f"{took:.0f} s", repr(state).encode())
        if other > LONGEST_ANSWER or status != 200:
            row.fail("others wait for a costly state", f"{other:.0f} s", repr(state).encode())
        if re.search(r"Traceback", text):
            row.fail("a traceback on the page", text[:500], repr(state).encode())
    row.seconds, row.note = time.monotonic() - began, f"slowest {worst:.1f} s"
    return row
