"""A table or a line that is printed without the drawing library looks as that would draw it."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from folkmoot.cli.drawing.plain_tables import Line, Sheet
from folkmoot.cli.drawing.plain_text import Code, Prose
from folkmoot.cli.drawing.styled import Hanging, Indented, Picture, Styled, columns_of

CELLS = st.one_of(st.integers(-5, 10_000), st.text("aZ 7é中\u0301#|", max_size=9).map(str.strip))


def drawn(part: Sheet | Line | Prose | Styled | Hanging | Indented | Picture, width: int) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=width, highlight=False, markup=False, emoji=False).print(part)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def plain(lines: list[str] | None) -> list[str] | None:
    return None if lines is None else [Text.from_ansi(line).plain.rstrip() for line in lines]


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=2, max_size=6)),
       st.sets(st.integers(0, 3)), st.integers(20, 80))  # fmt: skip
def test_a_table_is_printed_as_it_would_be_drawn(rows: list[list[object]], right: set[int], width: int) -> None:
    sheet = Sheet([f"C{cell}"[:7] for cell in rows[0]], rows[1:], right, "What there is")
    printed = plain(sheet.lines(width))
    assert printed is None or printed == drawn(sheet, width)
    assert printed is not None or len(max(drawn(Sheet(sheet.columns, sheet.rows, right), 1_000), key=len)) > width / 3


@pytest.mark.parametrize("rows", [[], [["two\nlines", 1]], [["x" * 80, 1]], [["a\tb", 1]]], ids=str)
def test_what_does_not_fit_is_left_to_the_library(rows: list[list[object]]) -> None:
    assert Sheet(["Word", "Number"], rows).lines(60) is None


def test_words_of_others_are_made_visible() -> None:
    sheet = Sheet(["Word"], [["a\x1b[31mb"]])
    lines = sheet.lines(60)
    assert lines is not None
    assert "\x1b[31m" not in "".join(lines)
    assert plain(lines) == drawn(sheet, 60)


def test_a_line_is_printed_as_it_would_be_drawn() -> None:
    for line in (Line("One of them.", dim=True), Line("Köln 中", bold=True)):
        assert plain(line.lines(40)) == drawn(line, 40)
    assert Line("much too long").lines(5) is None


SAID = st.sampled_from(["tea", "“so”", "Köln", "–", "→", "a-b", "of", "x" * 12, " ", "  ", "\n", "é7"])


@given(st.lists(st.tuples(SAID, st.sampled_from(["", "red", "bold cyan", "dim"])), max_size=20), st.integers(12, 40))
def test_styled_words_are_wrapped_as_they_would_be_drawn(pieces: list[tuple[str, str]], width: int) -> None:
    words = Styled()
    for text, style in pieces:
        words.add(text, style).add(" ")
    for part, room in ((words, width), (Hanging(words, 2), width + 2), (Indented(words, 4), width + 4)):
        printed = plain(part.lines(room))
        assert printed is None or [line for line in printed if line] == [line for line in drawn(part, room) if line]


def test_styled_words_keep_their_colours() -> None:
    line = Styled("a ", "red").add("b", "bold cyan").join([Styled("x"), Styled("y", "dim")])
    assert line.lines(40) == ["x\x1b[31ma \x1b[0m\x1b[36m\x1b[1mb\x1b[0m\x1b[2my\x1b[0m"]
    assert Styled("a b", "red").lines(2) == ["\x1b[31ma\x1b[0m", "\x1b[31mb\x1b[0m"]
    assert Sheet(["Word"], [[Styled("red", "red")]]).lines(60) == ["\x1b[1mWord\x1b[0m", "────", "\x1b[31mred\x1b[0m"]


def test_letters_that_take_one_column_are_counted_as_the_library_counts_them() -> None:
    narrow = [chr(code) for code in range(32, 0x2900) if columns_of.__globals__["_NARROW"].fullmatch(chr(code))]
    assert len(narrow) > 1_000
    assert [letter for letter in narrow if cell_len(letter) != 1] == []


def test_no_drawing_library_loads_for_what_is_read_and_printed_as_it_is() -> None:
    script = (
        "import sys; import folkmoot.cli.sending, folkmoot.cli.drawing.game_pages, folkmoot.cli.game_status\n"
        "import folkmoot.cli.drawing.boards, folkmoot.cli.drawing.charts, folkmoot.cli.drawing.pull_requests\n"
        "print(*[name for name in ('rich.console', 'rich.text', 'plotille', 'pygments', 'cryptography',"
        " 'folkmoot.forges.engine_pin', 'folkmoot.forges.local.forge') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("width", [80, 12])
def test_columns_without_names_leave_no_line_for_them(width: int) -> None:
    sheet = Sheet(["", ""], [["Turn", 1], ["Phase", "die"]], caption="Now")
    printed = sheet.lines(width)
    assert printed is not None
    assert [line.rstrip() for line in plain(printed) or []] == ["Now", "Turn   1", "Phase  die"]
    assert [line.strip() for line in drawn(sheet, width)][1:] == ["Turn   1", "Phase  die"]


WORDS = st.sampled_from(["Turns", "go", "round", "1.", "(2)", "-", "+", "=", "---", "a_b", "_c", "d*", "301:", "“so”",
                         "#", "`x`", "<b>", "&amp;", "x" * 25, "\n", "\n", "\n\n", "  ", "\n    ", "[a](b)", "1)"])  # fmt: skip


@given(st.lists(WORDS, max_size=30), st.integers(20, 80))
def test_prose_is_printed_as_it_would_be_drawn(words: list[str], width: int) -> None:
    text = " ".join(words).replace(" \n", "\n").replace("\n ", "\n")
    printed = Prose(text).lines(width)
    assert printed is None or printed == drawn(Prose(text), width)


def test_prose_without_marks_needs_no_library() -> None:
    text = (
        "Turns go round, one to each; nobody (not even ann) may pass.\n\nIn a game by mail 291 is taken\naway: see 202."
    )
    printed = Prose(text).lines(30)
    assert printed is not None
    assert max(map(len, printed)) <= 30
    assert printed == drawn(Prose(text), 30)


SCRIPT = """def on_said(e):
    # what was said, however long it takes to say so in a comment
    add("game", "heard", 1 + 2, because = "it was said, and said again")
"""


@pytest.mark.parametrize("width", [20, 30, 50, 80])
def test_a_script_is_printed_whole_in_colours_and_its_long_lines_go_on_further_in(width: int) -> None:
    printed = Code(SCRIPT).lines(width)
    assert printed is not None
    seen = plain(printed)
    assert seen is not None
    assert max(map(len, seen)) <= width
    assert "".join("".join(seen).split()) == "".join(SCRIPT.split())
    assert len(seen) > 3 or width == 80
    assert any("\x1b[34mdef\x1b[0m" in line for line in printed)
    assert [line for line in seen if not line.startswith("    ")] == ["def on_said(e):"]
