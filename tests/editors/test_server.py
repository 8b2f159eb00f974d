"""`arcproof lsp` as a process, driven by the client of pygls."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcMethodNotFound
from pygls.lsp.client import LanguageClient

from arcproof.editors.server import PAUSE
from arcproof.transitions.library import source_of
from tests.conftest import ROOT
from tests.editors.test_places import MANY_BYTES
from tests.editors.test_services import FIGURE

pytestmark = pytest.mark.process

EAGER = source_of("arc-eager")
BROKEN = ("\x00", "=> => =>\n\n", 'cite "', "x" * 200_000, "claims\n" * 600, FIGURE[:150], "\n" * 50, ' lemma "x": ')
SECONDS = 50


class Editor:
    """A client with one open document, and what the server sent it."""

    def __init__(self, uri: str) -> None:
        self.client = LanguageClient("editor", "1")
        self.uri = uri
        self.version = 0
        self.problems: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self.messages: asyncio.Queue[lsp.ShowMessageParams] = asyncio.Queue()
        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(
            lambda published: self.problems.put_nowait(published)
        )
        self.client.feature(lsp.WINDOW_SHOW_MESSAGE)(lambda message: self.messages.put_nowait(message))

    @property
    def document(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)

    async def start(self, encodings: list[lsp.PositionEncodingKind] | None = None) -> lsp.InitializeResult:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        await self.client.start_io(sys.executable, "-m", "arcproof", "lsp", env=environment)
        able = lsp.ClientCapabilities(general=lsp.GeneralClientCapabilities(position_encodings=encodings))
        started = await self.client.initialize_async(lsp.InitializeParams(capabilities=able))
        self.client.initialized(lsp.InitializedParams())
        return started

    async def open(self, text: str) -> list[lsp.Diagnostic]:
        self.version += 1
        item = lsp.TextDocumentItem(self.uri, "arcproof", self.version, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return await self.found()

    async def change(self, text: str) -> list[lsp.Diagnostic]:
        self.send(text)
        return await self.found()

    def send(self, text: str) -> None:
        self.version += 1
        document = lsp.VersionedTextDocumentIdentifier(version=self.version, uri=self.uri)
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    async def found(self) -> list[lsp.Diagnostic]:
        """The problems of the present version."""
        while True:
            published = await self.problems.get()
            if published.version == self.version:
                return list(published.diagnostics)

    async def hover(self, line: int, character: int) -> lsp.Hover | None:
        return await self.client.text_document_hover_async(
            lsp.HoverParams(self.document, lsp.Position(line, character))
        )

    async def complete(self, line: int, character: int) -> dict[str, lsp.CompletionItem]:
        asked = lsp.CompletionParams(self.document, lsp.Position(line, character))
        offered = await self.client.text_document_completion_async(asked)
        assert isinstance(offered, lsp.CompletionList)
        return {item.label: item for item in offered.items}

    async def definition(self, line: int, character: int) -> list[lsp.Location]:
        asked = lsp.DefinitionParams(self.document, lsp.Position(line, character))
        return list(await self.client.text_document_definition_async(asked) or ())  # type: ignore[arg-type]

    async def format(self) -> list[lsp.TextEdit] | None:
        options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
        found = await self.client.text_document_formatting_async(lsp.DocumentFormattingParams(self.document, options))
        return None if found is None else list(found)

    async def end(self) -> int:
        """Say goodbye; the exit code of the server."""
        await self.client.shutdown_async(None)
        self.client.exit(None)
        return await self.client._server.wait()  # type: ignore[union-attr]


def driven(session: Callable[[Editor], Awaitable[None]], uri: str) -> None:
    """A session with a server of its own, which must end well."""

    async def whole() -> None:
        editor = Editor(uri)
        try:
            await session(editor)
            assert await editor.end() == 0
        finally:
            process = editor.client._server
            if process is not None and process.returncode is None:
                process.kill()
            await editor.client.stop()

    asyncio.run(asyncio.wait_for(whole(), SECONDS))


def spans(found: list[lsp.Diagnostic]) -> list[tuple[int, int, int, str]]:
    assert all(one.range.start.line == one.range.end.line and one.source == "arcproof" for one in found)
    return [
        (one.range.start.line, one.range.start.character, one.range.end.character, one.message.split("\n")[0])
        for one in found
    ]


def test_a_client_is_served_from_initialize_to_exit(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsys"

    async def session(editor: Editor) -> None:
        started = await editor.start()
        assert started.server_info is not None
        assert started.server_info.name == "arcproof"
        able: Any = started.capabilities
        assert all(
            (able.hover_provider, able.completion_provider, able.definition_provider, able.document_formatting_provider)
        )

        assert await editor.open(EAGER) == []

        hover = await editor.hover(14, 6)  # LEFT-ARC of the oracle
        assert hover is not None
        assert "LEFT-ARC(l)    σ|i, j|β  =>" in hover.contents.value  # type: ignore[union-attr]
        assert hover.range == lsp.Range(lsp.Position(14, 4), lsp.Position(14, 12))

        [location] = await editor.definition(14, 6)
        assert location == lsp.Location(path.as_uri(), lsp.Range(lsp.Position(6, 2), lsp.Position(6, 10)))
        [location] = await editor.definition(4, 10)  # β of final
        assert location.range == lsp.Range(lsp.Position(2, 26), lsp.Position(2, 27))

        offered = await editor.complete(32, 20)  # sound projective
        assert offered["well-nested"].kind == lsp.CompletionItemKind.Class
        assert offered["well-nested"].text_edit == lsp.TextEdit(
            lsp.Range(lsp.Position(32, 17), lsp.Position(32, 20)), "well-nested"
        )
        assert "SHIFT" not in offered

        broken = (
            EAGER.replace("=>  σ|i, β\n", "=>  σ|k, β\n")
            .replace("default SHIFT", "default SHFT")
            .replace("length  ", "lenght  ")
        )
        assert spans(await editor.change(broken)) == [
            (9, 33, 34, "k is not bound"),
            (11, 10, 14, "there is no transition SHFT"),
            (34, 4, 10, "unexpected `lenght`"),
        ]
        warned = await editor.change(
            EAGER.replace("if gold i -l-> j\n", "if gold i -l-> j, exists k in σ: head(i)\n", 1)
        )
        assert [one.severity for one in warned] == [lsp.DiagnosticSeverity.Warning]
        assert warned[0].message == "k is not used\nthe condition does not mention k"

        assert await editor.change(EAGER) == []
        [edit] = await editor.format() or []
        assert edit.range == lsp.Range(lsp.Position(0, 0), lsp.Position(EAGER.count("\n"), 0))
        assert await editor.change(edit.new_text) == []
        assert await editor.format() == []

    driven(session, path.as_uri())


@pytest.mark.nightly
def test_nothing_that_is_sent_ends_the_server() -> None:
    """Texts that are no figures, many changes at once, unknown files and requests; then the server still answers."""

    async def session(editor: Editor) -> None:
        await editor.start([lsp.PositionEncodingKind.Utf8])
        assert spans(await editor.open(""))[0][:3] == (0, 0, 0)
        for text in BROKEN:
            assert await editor.change(text)
            for line, character in ((0, 5), (7, 40), (10_000, 3)):
                await editor.hover(line, character)
                await editor.complete(line, character)
                await editor.definition(line, character)
            assert await editor.format() is None
            assert "there is an error in line" in (await editor.messages.get()).message
        for unknown in ("file:///no/such.tsys", "nonsense:"):
            editor.uri, kept = unknown, editor.uri
            assert await editor.hover(0, 0) is None
            editor.uri = kept
        with pytest.raises(JsonRpcMethodNotFound):
            await editor.client.protocol.send_request_async("arcproof/noSuchRequest", {})

        for length in range(1, len(FIGURE), 5):
            editor.send(FIGURE[:length])
        assert await editor.change(FIGURE) == []
        await asyncio.sleep(2 * PAUSE)
        assert editor.problems.empty()  # only the last of many changes is checked

        await editor.change(FIGURE + "  -- a thought\n")
        assert await editor.format() is None
        assert (await editor.messages.get()).message == "not formatted: the comment in line 9 would be lost"

        [problem] = await editor.change(MANY_BYTES)
        assert problem.range == lsp.Range(lsp.Position(1, 21), lsp.Position(1, 22))

    driven(session, "untitled:Untitled-1")
