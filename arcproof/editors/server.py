"""The language server: `arcproof lsp`, over standard input and output.

It answers with what the other modules of this package find in the editor's current text, which need not be a valid
figure.  Places are counted from 1 in characters there, and from 0 in the units of the client here.  The whole text is
sent with every change: editors and Python disagree about what ends a line, and figures are short.
"""

import asyncio
import logging
import os
import sys
from pathlib import Path
from typing import Final

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import PositionCodec

from arcproof._version import __version__
from arcproof.editors.completing import CompletionWordKind, suggestions_at
from arcproof.editors.diagnosis import diagnose_text
from arcproof.editors.formatting import CannotFormat, formatted
from arcproof.editors.meaning import meaning_at, targets_at
from arcproof.transitions.errors import Diagnostic, Place
from arcproof.transitions.reading.read import with_newlines

NAME: Final = "arcproof"
PAUSE: Final = 0.15
"""Seconds without a change before a text is checked."""
MARK: Final = "\ufeff"

KINDS: Final[dict[CompletionWordKind, lsp.CompletionItemKind]] = {
    "keyword": lsp.CompletionItemKind.Keyword,
    "function": lsp.CompletionItemKind.Method,
    "class": lsp.CompletionItemKind.Class,
    "variable": lsp.CompletionItemKind.Variable,
    "system": lsp.CompletionItemKind.Module,
    "component": lsp.CompletionItemKind.Field,
    "parameter": lsp.CompletionItemKind.Constant,
    "transition": lsp.CompletionItemKind.Function,
    "oracle": lsp.CompletionItemKind.Interface,
    "dynamic": lsp.CompletionItemKind.Interface,
    "measure": lsp.CompletionItemKind.Constant,
}
SEVERITIES: Final = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}


class Places:
    """Converts places in a text between characters, counted from 1, and the client's units."""

    def __init__(self, text: str, codec: PositionCodec) -> None:
        """Split the text into the lines of the figure; only for the client, a byte order mark belongs to the first."""
        self.lines = with_newlines(text).split("\n")
        self.shift = 1 if text.startswith(MARK) else 0
        self.codec = codec

    def position(self, line: int, column: int) -> lsp.Position:
        """Where the client sees a character."""
        number = min(max(line, 1), len(self.lines)) - 1
        before = MARK * (self.shift if number == 0 else 0) + self.lines[number][: column - 1]
        return lsp.Position(number, self.codec.client_num_units(before))

    def range(self, where: Place) -> lsp.Range:
        """The range that the client underlines."""
        return lsp.Range(self.position(where.line, where.column), self.position(where.line, where.end))

    def place(self, position: lsp.Position) -> tuple[int, int]:
        """The line and column of a client's position; a position past the end of a line counts as its end."""
        if position.line >= len(self.lines):
            return len(self.lines), len(self.lines[-1]) + 1
        mark = MARK * (self.shift if position.line == 0 else 0)
        line, units = mark + self.lines[position.line], 0
        for column, letter in enumerate(line):
            if units >= position.character:
                return position.line + 1, max(1, column + 1 - len(mark))
            units += self.codec.client_num_units(letter)
        return position.line + 1, len(line) + 1 - len(mark)

    @property
    def whole(self) -> lsp.Range:
        """The range of the whole text."""
        return lsp.Range(lsp.Position(0, 0), self.position(len(self.lines), len(self.lines[-1]) + 1))


def serve() -> int:
    """Serve one client until it disconnects; the exit code says whether it shut down properly, as the protocol
    requires.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR)
    out, sys.stdout = sys.stdout, sys.stderr  # stray output must not end up among the answers
    server = make_server()
    goodbye: list[str] = []
    server.feature(lsp.SHUTDOWN)(lambda _: goodbye.append(lsp.SHUTDOWN))
    server.feature(lsp.EXIT)(lambda _: goodbye.append(lsp.EXIT))
    try:
        with os.fdopen(os.dup(out.fileno()), "wb") as answers:  # pygls closes what it writes to
            server.start_io(stdout=answers)
    finally:
        sys.stdout = out
    return 1 if goodbye[:1] == [lsp.EXIT] else 0


def make_server() -> LanguageServer:
    """A server with all its features."""
    server = LanguageServer(NAME, __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
    _add_diagnostics(server)
    _add_requests(server)
    return server


def _add_diagnostics(server: LanguageServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: LanguageServer, params: lsp.DidOpenTextDocumentParams) -> None:
        publish(ls, params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: LanguageServer, params: lsp.DidSaveTextDocumentParams) -> None:
        publish(ls, params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls: LanguageServer, params: lsp.DidChangeTextDocumentParams) -> None:
        version = params.text_document.version
        await asyncio.sleep(PAUSE)
        document = ls.workspace.text_documents.get(params.text_document.uri)
        if document is not None and document.version == version:
            publish(ls, document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: LanguageServer, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(params.text_document.uri, []))


def _add_requests(server: LanguageServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(ls: LanguageServer, params: lsp.HoverParams) -> lsp.Hover | None:
        text, places = _text(ls, params.text_document.uri)
        found = meaning_at(text, *places.place(params.position))
        if found is None:
            return None
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text), places.range(found.where))

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["#", "|", "-"]))
    def completion(ls: LanguageServer, params: lsp.CompletionParams) -> lsp.CompletionList:
        text, places = _text(ls, params.text_document.uri)
        offered = suggestions_at(text, *places.place(params.position))
        replaced = places.range(offered.where)
        items = [
            lsp.CompletionItem(
                label=one.word, kind=KINDS[one.kind], detail=one.detail, text_edit=lsp.TextEdit(replaced, one.word)
            )
            for one in offered.found
        ]
        return lsp.CompletionList(is_incomplete=False, items=items)

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: LanguageServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
        uri = params.text_document.uri
        text, places = _text(ls, uri)
        path = _path(uri)
        found = targets_at(text, *places.place(params.position), None if path is None else path.parent)
        beginning = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        return [
            lsp.Location(uri, places.range(target.where))
            if target.path is None
            else lsp.Location(from_fs_path(str(target.path.absolute())) or "", beginning)
            for target in found
        ]

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(ls: LanguageServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        text, places = _text(ls, params.text_document.uri)
        try:
            printed = formatted(text)
        except CannotFormat as reason:
            ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, str(reason)))
            return None
        return [] if printed == text else [lsp.TextEdit(places.whole, printed)]


def publish(ls: LanguageServer, uri: str) -> None:
    """Send the problems of the current text."""
    text, places = _text(ls, uri)
    found = diagnose_text(text, _path(uri)).diagnostics
    version = ls.workspace.get_text_document(uri).version
    problems = [_problem(one, places) for one in found]
    ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, problems, version))


def _problem(found: Diagnostic, places: Places) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        range=places.range(found.where),
        message=f"{found.message}\n{found.hint}",
        severity=SEVERITIES[found.severity],
        source=NAME,
    )


def _text(ls: LanguageServer, uri: str) -> tuple[str, Places]:
    """The editor's current text; empty if it is neither open nor a file."""
    try:
        text = ls.workspace.get_text_document(uri).source
    except (OSError, UnicodeDecodeError):
        text = ""
    return text, Places(text, ls.workspace.position_codec)


def _path(uri: str) -> Path | None:
    """The file of a text; None if it was never saved."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return None if path is None else Path(path)
