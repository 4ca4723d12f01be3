"""Players' words in a comment on a forge: they mention nobody, load nothing, and cannot pass for ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from folkmoot.wording.markup import visible

LONGEST = 600  # characters of one person's words inside a line
_SPECIAL = re.compile(r"[\\`*\[\]|~$^]|(?<![^\W_])_|_(?![^\W_])")
_FIRST = re.compile(r"^(?:[-+=#:]|(?=\d+[.)]))")
_MENTION = re.compile(r"@(?=\w)")
_REFERENCE = re.compile(r"(?:#|\b(?:GH|gh)-)(?=\d)|!(?=\[|\d)")
_COMMIT = re.compile(r"\b[0-9a-f]{40}\b")
_SCHEME = re.compile(r"(?i)\b(https?|ftp|mailto|data|javascript):(?=\S)|\bwww\.(?=\S)")
_SPAN = re.compile("(?<!`)`([^`]+)`(?!`)")
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


def listed(lines: Iterable[str], most: int, what: str = "lines") -> list[str]:
    """Return lines as a list, of many the first and how many were left out."""
    every = list(lines)
    shown = [f"- {line}" for line in every[:most]]
    return [*shown, f"- … and {len(every) - most} more {what}."] if len(every) > most else shown
