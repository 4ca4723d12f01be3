"""Players' words in a comment on a forge: they mention nobody, load nothing, and cannot pass for ours.

What the referee says stands in `templates/`, in Markdown; whatever a template prints is somebody's words and is escaped
by `said`, unless a filter has made Markdown of it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from folkmoot.core.documents import Proposal
from folkmoot.core.proposal_numbers import called
from folkmoot.core.values import in_a_row
from folkmoot.referee.report import BEWARE, FLAWS, HEADS
from folkmoot.wording import law_sentence
from folkmoot.wording.markup import visible

if TYPE_CHECKING:
    from minijinja import Environment

LONGEST = 600  # characters of one person's words inside a line
_SPECIAL = re.compile(r"[\\`*\[\]|~$^]|(?<![^\W_])_|_(?![^\W_])")
_FIRST = re.compile(r"^(?:[-+=#:]|(?=\d+[.)]))")
_MENTION = re.compile(r"@(?=\w)")
_REFERENCE = re.compile(r"(?:#|\b(?:GH|gh)-)(?=\d)|!(?=\[|\d)")
_COMMIT = re.compile(r"\b[0-9a-f]{40}\b")
_SCHEME = re.compile(r"(?i)\b(https?|ftp|mailto|data|javascript):(?=\S)|\bwww\.(?=\S)")
_SPAN = re.compile("(?<!`)`([^`]+)`(?!`)")
_MARKS = re.compile(r"<[^>]*>|(?<!\\)[*`]")
_LINK = re.compile(r"(?<![\\!])\[(?P<words>[^\[\]\n]*)\]\((?P<address>https?://[^()\s]*)\)")
_ESCAPE = re.compile(r"\\(?=[^\w\s])")
_ALIKE = {"@": "＠", "#": "＃", "!": "！"}


def said(text: object, most: int = LONGEST) -> str:
    r"""Return somebody's words as one line of Markdown that means nothing but these words.

    Signs that a forge would act on (mentions, references, links) are written as signs that look like them; what nobody
    sees is written as its code point.

    >>> said("*bold* <b>@ann</b> #7"), said("1. x"), said("a" * 9, most=4)
    ('\\*bold\\* &lt;b&gt;＠ann&lt;/b&gt; ＃7', '\\1. x', 'aaa…')
    """
    line = _SPECIAL.sub(lambda found: "\\" + found[0], _on_one_line(text, most))
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = _MENTION.sub("＠", line)
    line = _REFERENCE.sub(lambda found: _ALIKE.get(found[0][:1], found[0].replace("-", "‑")), line)
    line = _SCHEME.sub(lambda found: found[0].replace(":", "：").replace("www.", "www·"), line)
    line = _COMMIT.sub(lambda found: found[0][:12] + "…", line)
    return _FIRST.sub(lambda found: "\\" + found[0], line)


def sentence(text: object, most: int = LONGEST) -> str:
    r"""Return a sentence as `said` does, with what stands in it between backticks, such as a command, as code.

    >>> sentence("say `/do end_turn` *now*")
    'say `/do end_turn` \\*now\\*'
    """
    parts = _SPAN.split(_on_one_line(text, most))
    return "".join(code(part) if place % 2 else _spaced(part) for place, part in enumerate(parts))


def _spaced(part: str) -> str:
    """Return a piece of a line with the spaces around it."""
    return f"{part[: len(part) - len(part.lstrip())]}{said(part)}{part[len(part.rstrip()) :] if part.strip() else ''}"


def code(text: object, most: int = LONGEST) -> str:
    """Return something as code inside a line, hidden characters shown."""
    line = _on_one_line(text, most).replace("<!--", "<!‐‐")
    ticks = _ticks(line, 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}" if line else ""


def _on_one_line(text: object, most: int) -> str:
    line = " ".join(visible(str(text)[: 4 * most]).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def fenced(lines: Sequence[str], kind: str = "diff") -> str:
    """Return lines as a block of code, which nothing inside can end; none for no lines."""
    if not lines:
        return ""
    body = [visible(line).replace("\n", " ").replace("<!--", "<!‐‐") for line in lines]
    fence = _ticks("\n".join(body), 3)
    return "\n".join([f"{fence}{kind}", *body, fence])


def _ticks(text: str, least: int) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(least, longest + 1)


def plain(line: str) -> str:
    r"""Return a line of the referee's comment without its Markdown.

    >>> plain(r"It is **not proper**: \*no\* &amp; never (`E-ORDER`).")
    'It is not proper: *no* & never (E-ORDER).'
    >>> plain("[Read it](https://x.org/1.html)"), plain(r"- [Entry 4](https://x.org/#e4): \[no](https://y.org)")
    ('Read it: https://x.org/1.html', '- Entry 4: [no](https://y.org)')
    """
    alone = _LINK.fullmatch(line)
    line = f"{alone['words']}: {alone['address']}" if alone else _LINK.sub(lambda found: found["words"], line)
    return html.unescape(_ESCAPE.sub("", _MARKS.sub("", line))).rstrip()


class Markdown(str):
    """Markdown of ours: templates print it as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


def because(why: str, rule: str) -> str:
    """Return what stands behind a sentence to say why it is so, and by which rule."""
    return law_sentence.because(sentence(why) if why else "", said(rule, 40) if rule else "")


def named(proposal: Proposal) -> str:
    """Return how a proposal is called, with its title, as Markdown."""
    title = said(proposal.get("title") or "", 100)
    return f"**{said(called(proposal), 60)}**{f', “{title}”,' if title else ''}"


FILTERS: dict[str, Callable[..., str]] = {
    "as_it_is": str,  # words and addresses of ours
    "capital": lambda text: said(text[:1].upper() + text[1:], 80),
    "code": code,
    "codes": lambda names, most: ", ".join(code(name, 80) for name in names[:most]),
    "fenced": fenced,
    "named": named,
    "on_one_line": lambda text: " ".join((text if hasattr(text, "__html__") else said(text)).split()),
    "owed": lambda what: said(law_sentence.unquoted(what), 200),
    "quotation": law_sentence.quotation,
    "row": lambda names, most: in_a_row((said(name, 80) for name in names), most),
    "said": said,
    "sentence": sentence,
}
"""What makes Markdown of words, by the names that it has in templates."""
TEMPLATES = Path(__file__).with_name("templates")


@cache
def _environment() -> Environment:
    from minijinja import Environment  # which players who look need not load

    def marked(make: Callable[..., str]) -> Callable[..., Markdown]:
        return lambda *given: Markdown(make(*given))

    return Environment(
        loader=lambda name: (TEMPLATES / name).read_text("utf-8"),
        filters={name: marked(make) for name, make in FILTERS.items()},
        globals={"because": marked(because), "beware": BEWARE, "flaws": FLAWS, "heads": HEADS},
        trim_blocks=True,
        lstrip_blocks=True,
        undefined_behavior="strict",
        auto_escape_callback=lambda _name: "html",
        finalizer=lambda value: Markdown(said(value)) if type(value) is str else NotImplemented,
    )


def drawn(template: str, **given: Any) -> str:
    """Return what a template makes of what it is given."""
    return _environment().render_template(template, **given)


def blocks(text: str) -> list[str]:
    """Return the lines of Markdown, a block of code as one, and no blank line at an end or after another."""
    found: list[str] = []
    fence = ""
    for line in text.split("\n"):
        if fence:
            found[-1] += f"\n{line}"
            fence = "" if line == fence else fence
        elif line or (found and found[-1]):
            found.append(line)
            fence = line[: len(line) - len(line.lstrip("`"))] if line.startswith("```") else ""
    return found if not found or found[-1] else found[:-1]


def written(template: str, **given: Any) -> str:
    """Return what a template makes of what it is given, with no blank line too many."""
    return "\n".join(blocks(drawn(template, **given))) + "\n"
