"""The reference of the law language, made from its declarations; `ci/reference.py` writes and checks it."""

from __future__ import annotations

import re
from collections.abc import Callable
from textwrap import dedent, indent

from folkmoot.kernel.budget import NESTED_EVENTS
from folkmoot.kernel.host import HOST
from folkmoot.kernel.play import NESTED_CALLS
from folkmoot.language.binding import MOST_LOADED, library_text
from folkmoot.language.declarations import (
    Declaration,
    catalogue,
    catalogue_text,
    introduction,
    library,
    library_modules,
)

FOLDER = "reference"
OF_LAW = "<!-- Made by `python ci/reference.py` from the declarations of the law language; changes here are lost. -->\n"
OVERVIEW = """\
A rule of a game is text; what can be computed about it stands in its script, a small program in Starlark. Starlark
reads like Python, without `while`, `class`, `import`, `try`, `is` and `**`. Amounts are whole numbers: there is no `/`
and no float, and no shift operator either. Lists have no `count`, `sort` or `copy`; what is missed most, such as `sum`,
is [loaded](#library). Scripts see nothing but the game, and the same game always gives the same answers.

## First words

These words make five of six calls in the packaged rules; the pages named below have the rest.

@WORDS
A script has at most 64 KB, an expression at most 250 operators, calls and brackets, a `range` at most 100,000 numbers.

## How rules are heard

- **Order.** Of several rules the one of highest precedence is asked and heard first, as `decide_prevails` says; an
  event that a script raises runs to its end before the script goes on, and `later` raises one when the act is done.
- **None outside your own case.** A question is asked of every rule. What is not None is an answer, also False, 0 and
  `[]`; that of the highest rule prevails. So a rule answers where its text speaks, and None everywhere else: `if
  p.kind != "petition": return None`.
- **Whole or not at all.** What `require` refuses is undone as a whole. A script that fails while it hears an event is
  undone alone, and noted on its rule's page; the rest goes on. A guard that fails refuses.
- **Kept for good.** Scripts keep nothing between calls but what they `put`. Lists and maps that `get` gives are
  copies.
- **A vote.** Opening it fixes who may vote, and whether ballots are displayed; by which words one votes is asked at
  every ballot, what a ballot weighs at the count, and the text may be revised until it is frozen ([what may change
  while a vote runs](in-depth.md#what-may-change-while-a-vote-runs)).
- **How deep.** Scripts ask and call each other at most @CALLS deep, events are raised within events at most @EVENTS
  deep, and a question that asks itself with the same arguments fails with [`E-CIRCLE`](codes.md#e-circle). How much
  work there may be stands with the [limits](limits.md#scripts).
- **Codes of your own.** `require` and `refuse` take any code in capitals: letters and digits, joined by `-` or `_`,
  such as `E-RIPE`.

## Pages

- [Hooks](hooks.md): the functions of a script that the engine calls
- [Events](events.md): what the engine tells the rules of a game
- [Questions](questions.md): what the engine asks the rules of a game
- [Records](records.md): what scripts see of proposals, rules, ballots, changes and actions
- [Functions](functions.md): what a script may call

Around the scripts: the [files](files.md) of a game, [actions](actions.md), [settings](settings.md),
[limits](limits.md), [scenarios](scenarios.md), the [commands](commands.md) of the engine,
those in [comments](comments.md) and the [codes](codes.md) of what is refused.
"""
FIRST_WORDS = {
    "functions": (
        "get put get_all append things where create award holder office setting now after ask emit announce "
        "require refuse submit proposal proposals open_voting ballots verdict resolve"
    ),
    "events": ("founded joined left proposal_submitted voting_opened proposal_adopted proposal_resolved rule_enacted"),
    "questions": "proper number electorate choices closed adopted prevails headline",
}
LIBRARY = """\
Modules of the library are loaded at the top of a script, by the names that are wanted:

```python
load("grid", "square", "groups")
```

A script may load from the script of another rule, too, by its number:

```python
load("rule/207", "FEE", "pay")
```

It gets that rule's functions and values as they are in the law that governs the act, but for names that begin with `_`.
What such a function does is done by the rule that calls it, which is what `me()` answers: whoever may amend the rule
that shares changes what the others do. When that rule is repealed or put to sleep, those that load from it fail until
they are amended. A script loads from at most @LOADED rules, itself or by way of others. Where it is open who answers,
`ask`.

A function of the library never changes what it answers. When something better is found it becomes a module of another
name (`grid2`), so that games that began with the old one go on as they were.
"""


def pages_of_law() -> dict[str, str]:
    """Return every page of the reference as Markdown, by its path below the folder of the site's sources."""
    pages = {
        "index.md": overview(),
        "hooks.md": page("Hooks", catalogue_text("hooks"), catalogue("hooks"), hook),
        "events.md": page("Events", catalogue_text("events"), catalogue("events"), hook),
        "records.md": page("Records", catalogue_text("records"), catalogue("records"), seen),
        "questions.md": page("Questions", catalogue_text("questions"), catalogue("questions"), hook),
        "functions.md": functions(),
    }
    for module in library_modules():
        pages[f"library-{module}.md"] = page(
            f"Library: {module}", library_text(module) or "", library(module), library_function
        )
    return {f"{FOLDER}/{name}": f"{OF_LAW}\n{text}" for name, text in pages.items()}


def overview() -> str:
    """Return the page that leads to the others."""
    words = "\n".join(map(first_words, FIRST_WORDS))
    modules = "".join(
        f"- [{module}](library-{module}.md): {introduction(library_text(module) or '').partition('.')[0]}\n"
        for module in library_modules()
    )
    text = f"# The law language\n\n{OVERVIEW}\n## Library\n\n{LIBRARY}\n{modules}"
    numbers = {"@CALLS": NESTED_CALLS, "@EVENTS": NESTED_EVENTS, "@LOADED": MOST_LOADED, "@WORDS": words}
    for sign, value in numbers.items():
        text = text.replace(sign, str(value))
    return text


def first_words(part: str) -> str:
    """Return a table of the words of a part of the language that come first: each with a link, and what it means."""
    before = {"events": "on_", "questions": "decide_"}.get(part, "")
    entries = HOST.words if part == "functions" else catalogue(part)
    chosen = [entries[before + word] for word in FIRST_WORDS[part].split()]
    rows = [
        f"| [`{short_call(entry)}`]({part}.md#{entry.name}) | {first_sentence(entry.meaning)} |\n" for entry in chosen
    ]
    return f"| {part.capitalize()} | |\n|---|---|\n" + "".join(rows)


def short_call(entry: Declaration) -> str:
    """Return how a function is called with no more than it needs."""
    parts = entry.parameters.split(", ") if entry.parameters else []
    needed = [part.partition(":")[0] for part in parts if " = " not in part]
    return f"{entry.name}({', '.join(needed)})"


def first_sentence(meaning: str) -> str:
    """Return the first sentence of a text, without what it adds behind a semicolon or a colon."""
    sentence = re.split(r"(?<=[.?;:])\s", meaning)[0]
    return sentence if sentence.endswith("?") else f"{sentence.rstrip('.;:')}."


def page(title: str, source: str, entries: dict[str, Declaration], show: Callable[[Declaration], str]) -> str:
    """Return a page: title, introduction of the source, and its declarations one after the other."""
    head = f"# {title}\n\n{introduction(source)}\n"
    parts, section = [head], ""
    for entry in entries.values():
        if entry.section != section:
            section = entry.section
            parts.append(f"## {section[:1].upper()}{section[1:]}\n")
        parts.append(show(entry))
    return "\n".join(parts)


def heading(entry: Declaration) -> str:
    """Return the heading of a declaration; one level deeper where the page has sections."""
    return f"{'###' if entry.section else '##'} {entry.name}\n\n```python\n{entry.signature}\n```\n\n{entry.meaning}\n"


def listed(fields: dict[str, str]) -> str:
    """Return what the fields of an argument mean, as a list."""
    return "".join(f"\n- `{name}`: {meaning}" for name, meaning in fields.items()) + ("\n" if fields else "")


def code(text: str) -> str:
    """Return a block of code."""
    return f"\n```python\n{dedent(text).rstrip()}\n```\n"


def hook(entry: Declaration) -> str:
    """Return a hook, event or question with an example."""
    return heading(entry) + listed(entry.fields) + code(f"def {entry.signature}:\n{entry.body}")


def seen(entry: Declaration) -> str:
    """Return what scripts see of something, with an example."""
    return f"## {entry.name}\n\n{entry.meaning}\n" + listed(entry.fields) + code(entry.body)


def functions() -> str:
    """Return the page of the host functions, with the examples of the catalogue."""
    source = '"""Every script may call these functions; MINUTE, HOUR and DAY are so many seconds."""\n'
    return page("Functions", source, HOST.words, host_function)


def host_function(entry: Declaration) -> str:
    """Return a host function with an example."""
    return heading(entry) + code(entry.body)


def library_function(entry: Declaration) -> str:
    """Return a function of the library with calls and their answers."""
    answers = "\n".join(f"{call}\n{indent(answer, '# ')}" for call, answer in entry.examples)
    return heading(entry) + code(answers)
