"""A real editor's YAML language server with our schemas: what it offers, and what it marks."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from folkmoot.cli.check import write
from folkmoot.cli.options import FILE_KINDS
from folkmoot.files.schema import json_schema
from tests.support.standins import NODE, standin, unproven

pytestmark = unproven("editors take our schemas")

Record = dict[str, Any]
MOST_SECONDS = 120
ANY = "property"
"""What the server offers where a key may have any name."""
RULE = """\
title: Tea
text: |
  There is tea.
defines:
  player:
    cups: {type: integer, initial: 0, summary: How many cups they had}
actions:
  drink:
    summary: Drink a cup
"""


class Editor:
    """An editor that speaks with a language server."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        """Say who we are, and open nothing yet."""
        self._process, self._folder, self._numbers = process, folder, count(1)
        self._marked: dict[str, list[Record]] = {}
        able = {"textDocument": {"publishDiagnostics": {}}}
        self._ask("initialize", {"processId": os.getpid(), "rootUri": folder.as_uri(), "capabilities": able})
        self._tell("initialized", {})
        settings = {"yaml": {"validate": True, "completion": True, "schemaStore": {"enable": False}}}
        self._tell("workspace/didChangeConfiguration", {"settings": settings})

    def open(self, text: str, schema: str = "schemas/rule.json") -> str:
        """Open a file that names its schema in the first line; return what it is known by."""
        path = self._folder / f"draft{next(self._numbers)}.yaml"
        said = f"# yaml-language-server: $schema={schema}\n{text}"
        path.write_text(said, "utf-8")
        item = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": said}
        self._tell("textDocument/didOpen", {"textDocument": item})
        return path.as_uri()

    def offered(self, schema: str) -> dict[str, str]:
        """Return what is offered in an empty file, and what is said of each."""
        file, place = self.open("", schema), {"line": 1, "character": 0}
        found = self._ask("textDocument/completion", {"textDocument": {"uri": file}, "position": place})
        items = found["items"] if isinstance(found, dict) else found
        return {item["label"]: told(item.get("documentation")) for item in items if item["label"] != ANY}

    def marked(self, text: str) -> list[tuple[int, str]]:
        """Return the lines of a text (from 1) at which something is marked, and why."""
        file = self.open(text)
        while file not in self._marked:
            self._hear()
        return [(each["range"]["start"]["line"], each["message"]) for each in self._marked[file]]

    def _ask(self, method: str, given: Record) -> Any:
        number = next(self._numbers)
        self._send({"id": number, "method": method, "params": given})
        while (heard := self._hear()).get("id") != number or "method" in heard:
            pass
        assert "error" not in heard, heard
        return heard["result"]

    def _tell(self, method: str, given: Record) -> None:
        self._send({"method": method, "params": given})

    def _send(self, message: Record) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._process.stdin.flush()

    def _hear(self) -> Record:
        """Return the next message; what the server asks of an editor has no answer here but nothing."""
        source = self._process.stdout
        assert source is not None
        heads = dict(line.split(b": ") for line in iter(lambda: source.readline().strip(), b""))
        assert heads, f"the language server said nothing more, or took longer than {MOST_SECONDS} seconds"
        message: Record = json.loads(source.read(int(heads[b"Content-Length"])))
        if message.get("method") == "textDocument/publishDiagnostics":
            self._marked[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "method" in message and "id" in message:
            wanted = message["params"].get("items", []) if message["method"] == "workspace/configuration" else []
            self._send({"id": message["id"], "result": [None] * len(wanted) or None})
        return message


def told(shown: Any) -> str:
    """Return what the server says of something as text."""
    return str(shown.get("value", "")) if isinstance(shown, dict) else str(shown or "")


@contextmanager
def running(folder: Path) -> Iterator[Editor]:
    """Yield an editor in a folder in which the schemas lie."""
    for kind in FILE_KINDS:
        write(folder / "schemas" / f"{kind}.json", json_schema(kind))
    server = standin("node_modules/yaml-language-server/bin/yaml-language-server")
    words = [str(standin(NODE)), str(server), "--stdio"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, cwd=folder) as process:
        # A server that falls silent is ended, so that whoever waits for its next message reads that there is none.
        guard = Timer(MOST_SECONDS, process.kill)
        guard.start()
        try:
            yield Editor(process, folder)
        finally:
            guard.cancel()
            process.kill()


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    with running(tmp_path_factory.mktemp("drafts")) as editor:
        yield editor


@pytest.mark.parametrize(
    ("before", "after", "line", "why"),
    [
        ("defines:", "defnes:", 4, "defnes"),
        ("type: integer", "type: intger", 6, "Value is not accepted"),
        ("title: Tea", "title: [Tea]", 1, "Incorrect type"),
    ],
)
def test_what_is_wrong_is_marked_where_it_stands(editor: Editor, before: str, after: str, line: int, why: str) -> None:
    assert editor.marked(RULE) == []
    marked = editor.marked(RULE.replace(before, after))
    assert any(at == line and why in said for at, said in marked), marked


@pytest.mark.parametrize("kind", FILE_KINDS)
def test_every_kind_of_file_has_a_schema_that_an_editor_reads(editor: Editor, kind: str) -> None:
    offered = editor.offered(f"schemas/{kind}.json")
    assert offered
    assert [key for key, said in offered.items() if not said] == []
