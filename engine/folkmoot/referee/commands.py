"""Commands that people write in comments: `/vote for because it rains`, `/do move to=c4`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.records import Arguments, Review
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.core.sealed_data import length_without_boxes
from folkmoot.core.values import BLANKS, flaw_of_event, in_a_row, told
from folkmoot.files.typed_words import read_typed_word
from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.kernel.act_declarations import VOTE
from folkmoot.kernel.arguments import is_needed
from folkmoot.kernel.ballot_words import BALLOTS, QUOTED, Typed, gives_reason, read_typed, read_words, without_because

KNOWN = ("vote", "do", "join", "propose", "withdraw", "ignore", "game", "rule", "help")
MOST_COMMANDS = 20
LONGEST_LINE = 10_000
MOST_NESTED = 50
MOST_TAKEN = 12  # arguments that a sentence names

_COMMAND = re.compile(r" {0,3}/(?P<name>[A-Za-z][A-Za-z0-9_-]*)(?:(?:[:=][ \t]*|[,;.!?]*[ \t]+)(?P<rest>.*)|[,;.!?]*)")
_PAIR = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)=")
_NAMED_LATER = re.compile(rf"[{re.escape(BLANKS)}]+(?={_PAIR.pattern})")
_PART = re.compile(
    rf"""(?:^|(?<=[{re.escape(BLANKS)}]))(?P<name>[A-Za-z_][A-Za-z0-9_]*=)(?=[\[{{])|'[^']*'|"(?:[^"\\]|\\.)*"|\\.|.""",
    re.DOTALL,
)
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
_CODE = re.compile(r"(?: {4}| {0,3}\t)")
_COMMENT = re.compile(r" {0,3}<!--")
_LINE_END = re.compile(r"\r\n|\r|\n")  # as Markdown has it: U+2028 and its like end no line, nor a quotation
_RAW = re.compile(r" {0,3}<(?P<sign>\?|!\[CDATA\[|![A-Za-z])", re.IGNORECASE | re.ASCII)
_RAW_ENDS = {"?": "?>", "![CDATA[": "]]>"}
_VERBATIM = ("script", "style", "textarea")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_SPAN = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")
_SHOWN = re.compile(  # an end must be whole: what only begins as one ends nothing
    r"<(/(?=[a-z]+[^<>]*>))?(pre|blockquote|script|style|textarea)(?=[\s/>]|$)", re.IGNORECASE | re.ASCII
)


class Command(Struct, frozen=True):
    """One line of a comment that asks for something: its name without the slash, and the rest of the line."""

    name: str
    rest: str = ""
    line: int = 1


class Asked(Struct, frozen=True):
    """An act as a command asks for it; `flaw` says what is wrong with the command instead.

    Of a review `review` says which `rule` (by its uid) made this act of it, or `why` what it made could be none.
    """

    do: str = ""
    args: Arguments = field(default_factory=dict)
    as_: str | None = None
    flaw: str = ""
    review: Review | None = None
    typed: str | None = None  # a ballot as it was typed, to be read by the law's choices


def commands_in(body: str) -> list[Command]:
    r"""Return the commands of a comment: lines that start with a slash, outside of code, quotations and HTML comments.

    >>> [command.name for command in commands_in("I agree.\n/vote for\n> /vote against\n```\n/do x\n```")]
    ['vote']
    >>> commands_in("<!--\n/vote for\n-->")
    []
    """
    return [command for command, length in _said(body) if length <= LONGEST_LINE][:MOST_COMMANDS]


def asks_nothing(body: str) -> bool:
    r"""Say whether a comment asks for nothing; it may say which game it is about.

    >>> asks_nothing("/game tea\nGood evening."), asks_nothing("/vote for")
    (True, False)
    """
    return all(command.name == "game" for command in commands_in(body))


def unread_in(body: str) -> str:
    r"""Return why some commands of a comment are not read, in one sentence ("" where all are).

    >>> unread_in("/vote for"), unread_in("/vote for\n" * 21)[:52]
    ('', 'a comment may hold 20 commands: the 1 after them, fr')
    """
    said = list(_said(body))
    long = [command.line for command, length in said if length > LONGEST_LINE and command.name != "game"]
    if long:
        return f"line {long[0]} is longer than {LONGEST_LINE:,} characters and was not read; say it in fewer words"
    surplus = [command for command, length in said if length <= LONGEST_LINE][MOST_COMMANDS:]
    if not surplus:
        return ""
    rest = f"the {len(surplus)} after them, from line {surplus[0].line} on, were not read"
    return f"a comment may hold {MOST_COMMANDS} commands: {rest}; say them in another comment"


def _said(body: str) -> Iterator[tuple[Command, int]]:
    """Yield the commands of a comment, and how many characters the line of each has but for what is sealed."""
    for number, line in _spoken(body):
        if match := _COMMAND.fullmatch(line.rstrip(BLANKS)):
            command = Command(match["name"].lower(), (match["rest"] or "").strip(BLANKS), number)
            yield command, length_without_boxes(line)


def commands_of(body: str) -> list[Command]:
    """Return the commands of a comment; of one over which the engine fails, none."""
    return guarded(Stage.PLACE, lambda: commands_in(body), lambda _: [])


def spoken_in(body: str) -> str:
    r"""Return what somebody says in words of their own: no commands, code, quotations or HTML comments.

    >>> spoken_in("> no\nyes\n/do x")
    'yes'
    """
    said = (line for _, line in _spoken(body) if not (_COMMAND.match(line) or line.lstrip(BLANKS).startswith(">")))
    return "\n".join(said).strip()[:2_000]


def _spoken(body: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of the lines that are shown, and are neither quoted nor code."""
    in_paragraph = False  # which goes on in the next line, however far that is indented
    for number, line in _outside_blocks(body):
        indented = _CODE.match(line)
        is_text = bool(line.strip(BLANKS)) and (in_paragraph or not indented)
        if is_text:
            yield number, line.lstrip(BLANKS) if indented else line
        in_paragraph = is_text and not line.lstrip(BLANKS).startswith((">", "#", "<"))


def _outside_blocks(body: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of the lines outside of fences, HTML that is not shown as text, and comments of HTML."""
    fence = within = raw = ""
    shown: list[str] = []
    for number, line in enumerate(_LINE_END.split(body), 1):
        rest, text = line, line.strip(BLANKS)
        if fence:
            if text.startswith(fence) and not text.strip(fence[0]):
                fence = ""
            continue
        if not raw:
            before, within = within, _comment_after(line, within)
            if before or within:
                continue
            if begun := _RAW.match(line):
                raw, rest = _RAW_ENDS.get(begun["sign"].upper(), ">"), line[begun.end() :]
        if raw:
            raw = "" if raw in rest else raw
            continue
        inside, shown = shown, _shown_after(line, shown)
        opened = _FENCE.match(line)
        if opened and not inside:
            fence = opened[1]
        elif not inside:
            yield number, line


def _shown_after(line: str, shown: list[str]) -> list[str]:
    """Return in which elements of HTML that quote, or show code, a text is after a line."""
    for closes, name in _SHOWN.findall(_SPAN.sub("", line[:LONGEST_LINE])):
        if shown and shown[-1] in _VERBATIM and (shown[-1] != name.lower() or not closes):
            continue  # inside of these nothing is an element
        if not closes:
            shown = [*shown[:MOST_NESTED], name.lower()]
        elif name.lower() in shown:
            shown = shown[: len(shown) - 1 - shown[::-1].index(name.lower())]
    return shown


def _comment_after(line: str, within: str) -> str:
    """Return in which comment of HTML, which nobody sees, a text is after a line: one that ends with its paragraph?"""
    if within == "paragraph" and not line.strip(BLANKS):
        return ""
    if within and "-->" not in line:
        return within
    rest = line.rpartition("-->")[2] if within else line
    if rest.rfind("<!--") <= rest.rfind("-->"):
        return ""
    return "block" if within == "block" or _COMMENT.match(line) else "paragraph"


def asked(command: Command, actions: Mapping[str, ActionSpec]) -> Asked:
    """Return the act that a command asks for, by the declarations of the actions of the game.

    `/vote CHOICE [because …]` and `/do ACTION [NAME=VALUE]…`; any action may also be written as a command of its own.
    """
    if command.name == VOTE:  # as far as it can be read without the law
        return fitting(VOTE, lambda: replace(read_ballot(command.rest, lambda _named: None), typed=command.rest))
    if command.name == "do":
        do, _, rest = command.rest.partition(" ")
        return action_asked(do, rest.strip(BLANKS), actions)
    if command.name in actions:
        return action_asked(command.name, command.rest, actions)
    return Asked(flaw=f"there is no command /{command.name}{_near(command.name, (*KNOWN, *actions))}")


def _near(name: str, known: tuple[str, ...]) -> str:
    if name in BALLOTS:
        return f"; a ballot is cast by /vote {name}"
    if name in known:
        return " here: no rule of this game provides for it"
    near = meant_by(name, known)
    return f"; did you mean /{near}?" if near else "; /help shows what there is"


def read_ballot(rest: str, choices_of: Callable[[Arguments], Sequence[str] | None]) -> Asked:
    """Return the ballot that stands behind `/vote`, by the choices of what it is on (None where they are not known).

    What it is on may be named behind the choice; behind words that are more than a choice, all is the reason.
    """
    try:
        head, named, reason = _named_in(rest)
    except ProblemError as error:
        return Asked(flaw=f"/vote: {error.problems[0].message}")
    if not rest:
        return Asked(flaw="/vote needs a choice, as in `/vote CHOICE`")
    if named:
        choices = choices_of(named)
        begun = read_typed(head, choices)
        whole = begun if QUOTED.match(head) else read_words([head], choices)
        if not begun.reason:
            return ballot_asked(replace(whole, reason=reason), named)
    return ballot_asked(read_typed(rest, choices_of({})))


def ballot_asked(typed: Typed, named: Arguments | None = None) -> Asked:
    """Return a ballot as an act, with what it says that it is on."""
    if typed.flaw:
        return Asked(flaw=typed.flaw)
    reason = {"reason": typed.reason} if typed.reason else {}
    return Asked(VOTE, {"choice": typed.choice, **(named or {}), **reason})


def _named_in(rest: str) -> tuple[str, Arguments, str]:
    """Return what stands before arguments such as `motion=34`, these, and what stands behind; all where none do."""
    quoted = QUOTED.match(rest)
    start = quoted.end() if quoted else 0
    found = _NAMED_LATER.search(rest, start)
    if found is None or any(map(gives_reason, rest[start : found.start()].split())):
        return rest, {}, ""
    named: Arguments = {}
    more = rest[found.start() :].strip(BLANKS)
    while (pair := _PAIR.match(more)) is not None:
        word, _, more = more[pair.end() :].partition(" ")
        if pair["name"] in named:
            raise fail("E-ARGS", f"{pair['name']} is given twice")
        named[pair["name"]] = read_typed_word(word, "")
        more = more.strip(BLANKS)
    return rest[: found.start()], named, without_because(more)


def no_action(do: str, actions: Mapping[str, Any]) -> str:
    """Return that there is no such action, and which one may have been meant."""
    near = meant_by(do, actions)
    hint = f"; did you mean {near}?" if near else ""
    return f"there is no action {do[:80] or '(none was named)'}{hint}"


def bare_argument(declared: Mapping[str, ArgumentSpec]) -> str:
    """Return the argument that words without a name are: the one text of an action, where it needs it; "" for none.

    What may be left out is never filled by words that may have been meant otherwise, such as the `now` of `/end now`.

    >>> bare_argument({"text": {"type": "text"}, "to": {"type": "player"}})
    'text'
    >>> bare_argument({"title": {"type": "text", "optional": True}}), bare_argument({"a": {"type": "integer"}})
    ('', '')
    """
    texts = [name for name, spec in declared.items() if (spec or {}).get("type", "text") in ("text", "string")]
    return texts[0] if len(texts) == 1 and is_needed(declared[texts[0]] or {}) else ""


def surplus(do: str, word: str, declared: Mapping[str, ArgumentSpec]) -> str:
    """Return that a word is no argument of an action, and which ones it takes.

    >>> surplus("end", "now", {"title": {"type": "text", "optional": True}})
    "'now' means nothing here: arguments are written name=value, and end takes title=…"
    >>> surplus("leave", "now", {})
    "'now' means nothing here: leave takes no arguments"
    """
    takes = in_a_row((f"{name}=…" for name in declared), MOST_TAKEN)
    how = f"arguments are written name=value, and {do} takes {takes}" if takes else f"{do} takes no arguments"
    return f"{told(word[:80])} means nothing here: {how}"


def fitting(do: str, read: Callable[[], Asked]) -> Asked:
    """Return the act that is read; with a flaw instead where no game can keep what stands in it."""
    try:
        act = read()
    except ProblemError as error:
        return Asked(flaw=f"/{do}: {error.problems[0].message}")
    flaw = flaw_of_event({"as": act.as_, "do": act.do, "with": act.args})
    return Asked(flaw=f"/{do}: {flaw}") if flaw and not act.flaw else act


def _words_of(rest: str) -> list[str]:
    r"""Return the words of a line as a shell reads them, but a list or map behind a name as it stands.

    Raises ValueError where a quotation mark or a bracket is not closed.

    >>> _words_of('to=ann why="so it is" laurels={"bob": 5, "cid": [1, 2]} moves=["a b"]')
    ['to=ann', 'why=so it is', 'laurels={"bob": 5, "cid": [1, 2]}', 'moves=["a b"]']
    """
    words: list[str] = []
    start = place = 0
    while (part := _PART.match(rest, place)) is not None:
        place = part.end()
        if part["name"]:
            place = _end_of_brackets(rest, place)
            words += [*shlex.split(rest[start : part.start()]), rest[part.start() : place]]
            start = place
    return [*words, *shlex.split(rest[start:])]


def _end_of_brackets(text: str, start: int) -> int:
    """Return where the list or map ends whose bracket opens at a place; raises ValueError where none does."""
    level = 0
    for found in _BRACKETS.finditer(text, start):
        level += (found[0] in "[{") - (found[0] in "]}")
        if level == 0:
            return found.end()
    raise ValueError


def action_asked(do: str, rest: str, actions: Mapping[str, Any]) -> Asked:
    """Return the act that an action and its arguments, written `name=value`, ask for."""
    return fitting(do[:80], lambda: _action_asked(do, rest, actions))


def _action_asked(do: str, rest: str, actions: Mapping[str, Any]) -> Asked:
    if do not in actions:
        return Asked(flaw=no_action(do, actions))
    declared = actions[do].get("arguments") or {}
    bare = bare_argument(declared)
    if rest and bare and not _PAIR.match(rest):
        return Asked(do, {bare: rest})
    try:
        words = _words_of(rest)
    except ValueError:
        return Asked(flaw=f"/{do}: a quotation mark or a bracket is not closed")
    args: dict[str, Any] = {}
    as_: str | None = None
    for word in words:
        pair = _PAIR.match(word)
        if pair is None:
            return Asked(flaw=f"/{do}: {surplus(do, word, declared)}")
        value = word[pair.end() :]
        if pair["name"] in args or (as_ is not None and pair["name"] == "as"):
            return Asked(flaw=f"/{do}: {pair['name']} is given twice")
        if pair["name"] == "as" and "as" not in declared:
            as_ = value
        else:
            args[pair["name"]] = read_typed_word(value, (declared.get(pair["name"]) or {}).get("type", ""))
    return Asked(do, args, as_)
