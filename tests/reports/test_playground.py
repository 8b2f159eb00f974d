"""The page to play with a system: states from addresses, what can follow, where the gold graph was lost, and the server
that shows it.
"""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

import pytest

from arcproof.commands import serving
from arcproof.commands.serving import PlayServer
from arcproof.reports import playground
from arcproof.reports.playground import Address, Playground
from arcproof.transitions.library import system_names
from arcproof.transitions.system import load
from tests.browser import Visit, launched
from tests.catalogue import WITHOUT_ORACLE
from tests.conftest import ROOT
from tests.reports.test_browser import CONTRAST

NONPROJECTIVE = "2,3,0,3,2,5,3"


def query(link: str) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(link).query).items()}


def test_an_address_reproduces_its_state() -> None:
    state = Address.of({"heads": "2,0,2", "run": "SHIFT LEFT-ARC"})
    table = Playground(load("arc-eager")).table(state)

    assert state == Address.of(query(state.link(state.run)))
    assert [row.transition for row in table.view.rows] == ["", "SHIFT", "LEFT-ARC"]
    assert table.undo is not None
    assert Address.of(query(table.undo)).run == ("SHIFT",)


def test_what_is_permissible_is_what_the_interpreter_permits() -> None:
    system = load("arc-swift")
    c = system.start(3)
    run: tuple[str, ...] = ()
    while not system.is_terminal(c):
        table = Playground(system).table(Address("2,0,2", run=run))
        offered = [choice.name for choice in table.choices if choice.link is not None]
        assert offered == [transition.instance for transition in system.permissible(c)]
        for choice in table.choices:
            assert choice.link is not None or choice.reason
        c = system.apply(c, system.permissible(c)[-1])
        run = (*run, offered[-1])
    assert Playground(system).table(Address("2,0,2", run=run)).ended


def test_the_oracles_choice_is_marked_and_leads_to_the_gold_graph() -> None:
    playground = Playground(load("swap"))
    state = Address(NONPROJECTIVE)
    table = playground.table(state)
    taken = 0
    while not table.ended:
        [choice] = [choice for choice in table.choices if choice.is_oracles]
        assert choice.reachable == "yes"
        assert choice.link is not None
        table = playground.table(Address.of(query(choice.link)))
        taken += 1

    assert (taken, table.output, table.lost) == (18, NONPROJECTIVE, None)


@pytest.mark.long
@pytest.mark.parametrize("name", system_names())
def test_the_page_starts_with_a_sentence_that_the_system_derives(name: str) -> None:
    """Without an oracle the search may give up before it knows."""
    playground = Playground(load(name))
    status, page = playground.page({})

    assert status == 200
    known = playground.table(Address.of({}, playground.example)).reachable
    assert known == "yes" or (name in WITHOUT_ORACLE and known == "open")
    assert "No run of this system derives the gold graph" not in page


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"heads": "1,2,x"}, "the head of word 3 is `x`"),
        ({"heads": "5"}, "with 1 word it must be from 0 to 1"),
        ({"heads": "0", "sentence": "a b"}, "1 head too few: 1 head for 2 words"),
        ({"heads": "0", "run": "FOO"}, "has no transition FOO"),
        ({"heads": "0", "run": "REDUCE"}, "step 1: REDUCE is not permissible"),
        ({"heads": "0", "run": "<b>"}, "`<b>` is not a transition"),
        ({"heads": "0", "run": "RIGHT-ARC SHIFT"}, "the run ends after 1 transition"),
        ({"heads": "0", "oracle": "best"}, "has no oracle best; it has reduce-late, reduce-early"),
        ({"sentence": "a " * 41}, "41 words; the page takes 1 to 40"),
        ({"sentence": "a" * 9000}, "longer than 8000 characters"),
        ({"heads": "0>1:\udfffot 1>2"}, "half of a surrogate pair"),
    ],
)
def test_an_address_that_describes_no_state_gets_a_message(given: dict[str, str], message: str) -> None:
    import html

    status, page = Playground(load("arc-eager")).page(given)

    assert status == 400
    assert message in html.unescape(page)
    assert "Traceback" not in page
    assert "<b></b>" not in page


@pytest.fixture
def server() -> Iterator[PlayServer]:
    with PlayServer(Playground(load("arc-eager")), 0) as found:
        thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def asked(
    server: PlayServer, path: str = "/", host: str | None = None, method: str = "GET", **headers: str
) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers=named if host is None else {"Host": host})
    response = connection.getresponse()
    found = response.status, response.read().decode()
    connection.close()
    return found


def test_the_server_answers_to_its_own_name_only(server: PlayServer) -> None:
    assert asked(server)[0] == 200
    assert asked(server, host=f"localhost:{server.server_port}")[0] == 200
    for host in ("evil.example", f"evil.example:{server.server_port}", "127.0.0.1", "127.0.0.1:1", ""):
        status, text = asked(server, host=host)
        assert (status, text) == (421, "this server answers only to its own address")


def test_what_another_site_sends_gets_nothing_but_a_link_is_followed(server: PlayServer) -> None:
    own = f"http://127.0.0.1:{server.server_port}"
    assert asked(server, Origin=own)[0] == 200
    assert asked(server, Sec_Fetch_Site="same-origin")[0] == 200
    assert asked(server, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="document")[0] == 200
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"},
    ):
        assert asked(server, **headers) == (403, "this server answers only to its own page")


def slow(server: PlayServer, number: int) -> list[socket.socket]:
    """Connections that begin to ask, and do not go on."""
    found = [socket.create_connection(("127.0.0.1", server.server_port), timeout=10) for _ in range(number)]
    for connection in found[::2]:
        connection.sendall(b"GET / HT")
    return found


def test_slow_connections_never_keep_others_out(server: PlayServer) -> None:
    """1,130 of them, more than there are file descriptors, silenced the server for 50 seconds."""
    with patch.object(serving, "MAX_CONNECTIONS", 8):
        connections = slow(server, 40)
        assert asked(server)[0] == 200
        gone = sum(_is_closed(connection) for connection in connections[:32])
    assert gone == 32
    for connection in connections:
        connection.close()


def test_a_connection_has_a_deadline(server: PlayServer) -> None:
    with patch.object(serving, "SECONDS_TO_ASK", 0.05):
        (connection,) = slow(server, 1)
        assert _is_closed(connection)
        connection.close()
    assert asked(server)[0] == 200


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_concurrent_page_requests_wait_for_each_other(server: PlayServer) -> None:
    with patch.object(serving, "WAITING", 0.01):
        for _ in range(serving.AT_ONCE):
            server.at_once.acquire()
        assert asked(server)[0] == 503
        server.at_once.release()
        assert asked(server)[0] == 200
    for _ in range(serving.AT_ONCE - 1):
        server.at_once.release()


def test_a_page_takes_a_bounded_time_and_keeps_a_bounded_number_of_answers() -> None:
    """A sentence of 40 words took more than half a minute: every choice, and every configuration of the run, was
    searched from.
    """
    searched = Playground(load("arc-eager"))
    hurried = Playground(load("arc-eager"), seconds=-1)
    state = {"heads": "2,0,2", "run": "SHIFT SHIFT"}

    assert searched.page(state)[0] == 200
    assert searched._known
    assert hurried.page(state)[0] == 200
    assert not hurried._known
    with patch.object(playground, "MOST_KNOWN", 3):
        searched.page({"heads": "2,0,2,3,4"})
    assert len(searched._known) <= 3


def test_the_server_has_one_page_and_changes_nothing(server: PlayServer) -> None:
    assert asked(server, "/../../etc/passwd")[0] == 404
    assert asked(server, "/?heads=x")[0] == 400
    assert asked(server, "/?" + "&".join(f"a{k}=1" for k in range(50)))[0] == 400
    assert asked(server, method="HEAD") == (200, "")
    assert asked(server, method="POST")[0] == 501


@pytest.mark.process
def test_ctrl_c_ends_it_and_a_port_in_use_is_an_error(tmp_path: Path, server: PlayServer) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "BROWSER": "true", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "arcproof", "explore", "arc-eager", "--open", "--port"]
    process = subprocess.Popen(
        [*command, "0"], cwd=tmp_path, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    assert process.stdout is not None
    first = process.stdout.readline()
    assert re.fullmatch(r"arc-eager: http://127\.0\.0\.1:[0-9]+/ \(Ctrl-C ends\)\n", first)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, "ended\n", "")

    taken = subprocess.run(
        [*command, str(server.server_port)], cwd=tmp_path, env=environment, text=True, capture_output=True, timeout=60
    )
    assert taken.returncode == 2
    assert f"port {server.server_port} cannot be used" in taken.stderr


@pytest.mark.browser
def test_playing_in_a_browser(server: PlayServer) -> None:
    with launched() as browser:
        visit = Visit(browser.new_page())
        page = visit.open(f"{server.address}?heads=2,0,2&sentence=<b>a</b> b c")
        assert page.locator(".choice.oracle").inner_text().startswith("SHIFT")
        assert page.locator("h2").first.inner_text() == "Choose the first transition"
        choices, run = page.locator(".choices").bounding_box(), page.locator("#run").bounding_box()
        assert choices is not None
        assert run is not None
        assert choices["y"] + choices["height"] < run["y"]
        page.locator("a.choice", has_text="SHIFT").click()
        page.locator("a.choice", has_text="LEFT-ARC").click()
        assert page.locator(".run tr[aria-current=step] td").first.inner_text() == "LEFT-ARC"
        assert page.locator(".run .arc:not(.absent)").count() == 1
        assert "can still be derived" in page.locator(".gold[role=status]").inner_text()
        address = page.url

        page.locator("a.choice", has_text="SHIFT").click()
        assert "became unreachable with step 3" in page.locator(".gold[role=status]").inner_text()
        page.locator("a.undo").click()
        assert page.url == address
        page.go_back()
        page.reload()
        assert page.locator(".run tbody tr").count() == 4
        page.locator("input[name=heads]").fill("0,1,x")
        page.locator("button[type=submit]").click()
        assert "the head of word 3 is `x`" in page.locator("[role=alert]").inner_text()
        assert page.locator("main b").count() == 0
        visit.open(f"{server.address}?heads={NONPROJECTIVE}&run=SHIFT")
        for width in (1280, 380):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert page.evaluate(CONTRAST) == []
        complaints = [text for text in visit.complaints if "400" not in text]
        assert complaints == []
