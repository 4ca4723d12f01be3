"""Records the tutorial: `python ci/recording.py` plays its commands, and writes a terminal recording and a picture.

The recording is an asciicast (version 2, a line of JSON an event), made of the guide alone: what stands there is typed,
and what is shown is what `moot` says. `--check` plays it again and says whether anything is shown otherwise.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
GUIDE = ROOT / "site_src" / "guides" / "first-rule.md"
CAST, PICTURE = (ROOT / "site_src" / "assets" / f"first-rule.{ending}" for ending in ("cast", "svg"))
WIDTH = 80
TYPED, READ = 0.04, 1.5
"""Seconds that a character takes to be typed, and that what is shown stays before the next command."""
HOME = "~/first-rule"
"""What the folder is called in the recording."""
_BLOCK = re.compile(r"^``` (\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NOW = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC")
_FONTS = re.compile(r"@font-face \{\{.*?\}\}\s*", re.DOTALL)
Run = Callable[[list[str], Path], str]


def started(words: list[str], folder: Path) -> str:
    """Run `moot` as a process; return what it prints."""
    kept = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    variables = {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "COLUMNS": str(WIDTH)}
    command = [sys.executable, "-m", "folkmoot", *words]
    into, both = subprocess.PIPE, subprocess.STDOUT
    done = subprocess.run(command, cwd=folder, env=variables, check=False, stdout=into, stderr=both)
    return done.stdout.decode()


def played(folder: Path, run: Run = started) -> Iterator[tuple[str, str]]:
    """Write the files of the guide and run its commands in an empty folder; yield what is typed, and what is shown."""
    for kind, title, content in _BLOCK.findall(GUIDE.read_text("utf-8")):
        if kind == "yaml":
            (folder / title).write_text(content, "utf-8")
            yield f"cat {title}", content
            continue
        for line in content.splitlines():
            if line.startswith("$ moot "):
                yield line[2:], run(shlex.split(line[7:]), folder).replace(str(folder), HOME)


def cast(shown: Iterator[tuple[str, str]]) -> str:
    """Return a recording of what is typed and shown."""
    events: list[tuple[float, str]] = []
    now = 0.0
    for typed, said in shown:
        for place, character in enumerate(f"$ {typed}"):
            events.append((now + TYPED * place, character))
        now += TYPED * (len(typed) + 2)
        events.append((now, "\r\n" + said.replace("\n", "\r\n")))
        now += READ
    head = {"version": 2, "width": WIDTH, "height": 24, "title": "A first rule in ten minutes"}
    lines = [head, *([round(at, 2), "o", text] for at, text in events)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def text_of(recording: str) -> str:
    """Return all that a recording shows, as a terminal's text."""
    return "".join(json.loads(line)[2] for line in recording.splitlines()[1:]).replace("\r\n", "\n")


def lasting(text: str) -> str:
    """Return a text with the moments that hang on when it was made struck out."""
    return _NOW.sub("…", text)


def picture(recording: str) -> str:
    """Return the whole of a recording as one picture, which fetches nothing from anywhere."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), color_system=None, legacy_windows=False)
    for line in text_of(recording).splitlines():
        console.print(Text(line, style="bold" if line.startswith("$ ") else ""))
    form = _FONTS.sub("", CONSOLE_SVG_FORMAT).replace("Fira Code", "ui-monospace")
    made = console.export_svg(title="A first rule in ten minutes", code_format=form, unique_id="first-rule")
    return re.sub(r"<!--.*?-->\s*", "", made)


def main(words: list[str]) -> int:
    """Write the recording and its picture, or check that they are as they would be written now."""
    with tempfile.TemporaryDirectory() as folder:
        made = cast(played(Path(folder).resolve()))
    if "--check" in words:
        kept = CAST.read_text("utf-8")
        same = lasting(text_of(made)) == lasting(text_of(kept)) and PICTURE.read_text("utf-8") == picture(kept)
        print("The recording is in step." if same else "The recording is old: run `python ci/recording.py`.")
        return 0 if same else 1
    CAST.write_text(made, "utf-8")
    PICTURE.write_text(picture(made), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
