"""What a pull request would do, before anybody votes: its redline, what the law says of it, and what would come of it.

Scripts run in the sandbox only, and nothing of the trial stays. A redline is lines with a sign for what is struck and
added, for a comment without colour or width.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.documents import Change, Document, Proposal, Request
from folkmoot.core.keys import GAME, NEW, rule_in_words
from folkmoot.core.problems import Problem
from folkmoot.core.records import Effect, Failure, ProposedChange, Reason, Shown
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.files.canonical import write_yaml
from folkmoot.files.reader import NO_FILES, Files, files_of, where
from folkmoot.game.session import Session
from folkmoot.referee.content import GameContent, acts_apart, taken_by
from folkmoot.sandbox.client import Sandbox
from folkmoot.scenarios.check_sealed import without_keeper
from folkmoot.wording import sentences
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import unmarked, visible
from folkmoot.wording.page_links import Here
from folkmoot.wording.redline import runs, steps

WIDTH = 110
"""Characters of a line of a comment, after which it goes on in the next."""
CONTEXT = 2  # unchanged lines shown around what changed
SAME, STRUCK, ADDED, SKIPPED = "  ", "- ", "+ ", "  …"
_LINE_OF = re.compile(r"^(\s*)(\S|\S.*\S)(\s*)$")
_COMMENT = re.compile(r"(?:^|\s)#")
VERBS = {kind: f"{kind}s" for kind in ("enact", "amend", "repeal", "transmute", "retitle", "order")}


_STRUCK = ("title", "text", "script")  # of a rule that is repealed
_BESIDE = ("amend", "source", "revision")  # what a change says beside the parts of a rule


class Redline(Struct, frozen=True, kw_only=True):
    """One change: what it does (`kind`) to which rule, and each of its parts (`text`, `script`, …) with its lines.

    `stale` says that the game has changed the rule since the pull request's branch left it; `gone` that it is no more;
    `omitted` that it was left out when its proposal was adopted.
    """

    kind: str
    number: str
    title: str
    file: str
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    stale: bool = False
    gone: bool = False
    omitted: bool = False

    @property
    def is_behind(self) -> bool:
        """Whether its file lies on a branch that has not got what the game has made of the rule since."""
        return self.stale and self.file.startswith("state/")

    @property
    def head(self) -> str:
        """Return what the change does, as in `amends rule 203`."""
        new = "something that is done once and never becomes law" if self.kind == "order" else "a new rule"
        return f"{VERBS[self.kind]} {f'rule {self.number}' if self.number else new}"


def kind_of(change: ProposedChange) -> str:
    """Return which of the five kinds a change as proposed is."""
    return next(kind for kind in VERBS if kind in change)


def proposed(proposal: Proposal) -> list[ProposedChange]:
    """Return the changes of a proposal as an act takes them, each with a text of its own as in a file."""
    return [_proposed(change) for change in proposal["changes"]]


def _proposed(change: Change) -> ProposedChange:
    kind, given = str(change["kind"]), change.get("parts") or {}
    parts = {name: value for name, value in given.items() if name in RULE_PARTS and value is not None}
    parts["source"] = given.get("source") or write_yaml(parts)
    if kind == "enact":
        return {"enact": {**parts, **({"once": True} if given.get("once") else {})}}
    beside = {"to": change["to"]} if kind == "transmute" else {"to": parts["title"]} if kind == "retitle" else parts
    made_on = {"revision": change["revision"]} if change.get("revision") is not None else {}
    return {kind: str(change["rule"]), **made_on, **({} if kind == "repeal" else beside)}


def redline(change: ProposedChange, present: Document | None, file: str = "", stale: bool = False) -> Redline:
    """Return a change (as an act takes it) as lines, against the rule in force (None: it is new, or gone)."""
    kind, rule = kind_of(change), present or {}
    given: Mapping[str, Any] = change["enact"] if kind == "enact" else change
    before = {} if kind == "enact" else {part: rule.get(part) for part in _STRUCK} if kind == "repeal" else rule
    after = _changed(kind, change, rule)
    parts = [(part, tuple(_part(part, before.get(part), after.get(part)))) for part in RULE_PARTS]
    source = given.get("source", before.get("source"))
    noted = tuple(_lines(_comments(before.get("source")), _comments(source)))
    return Redline(
        kind="order" if kind == "enact" and given.get("once") else kind,
        number="" if kind == "enact" else str(rule.get("rule") or change[kind]),
        title=str((present or after).get("title") or ""),
        file=file,
        parts=tuple((part, lines) for part, lines in (*parts, ("comments", noted)) if lines),
        stale=stale,
        gone=kind != "enact" and present is None,
    )


def _changed(kind: str, change: ProposedChange, rule: Document) -> Document:
    """Return the parts of a rule as a change leaves them."""
    if kind == "repeal":
        return {}
    if kind == "transmute":
        return {**rule, "labels": {**(rule.get("labels") or {}), "status": change["to"]}}
    if kind == "retitle":
        return {**rule, "title": change["to"]}
    given: Mapping[str, Any] = change[kind] if kind == "enact" else change
    return {**rule, **{part: value for part, value in given.items() if part not in _BESIDE}}


def _part(part: str, before: Any, after: Any) -> Iterable[str]:
    """Return the lines of one part that differs, none where it stays."""
    if (before or None) == (after or None):
        return ()
    if part in ("title", "text"):
        return _worded(str(before or ""), str(after or ""))
    if part == "script":
        return _lines(str(before or "").splitlines(), str(after or "").splitlines())
    return _lines(*(write_yaml(value).splitlines() if value else [] for value in (before, after)))


def _comments(source: Any) -> list[str]:
    """Return the comments of a person's file; those of a script are seen in the script."""
    found: list[str] = []
    within = ""
    for line in str(source or "").splitlines():
        if line[:1] not in ("", " ", "#", "\t"):
            within = line.partition(":")[0]
        if line.startswith("#") or (within not in ("script", "text", "examples") and _COMMENT.search(line)):
            found.append(line[line.index("#") :])
    return found


def _worded(before: str, after: str) -> list[str]:
    """Return a text's change with what was struck as [-so-] and what was added as {+so+} inside the lines."""
    old, new = [], []
    for kind, struck, added in runs(before, after):
        old.append(struck if kind == "equal" or not after.strip() else _marked(struck, "[-", "-]"))
        new.append(added if kind == "equal" or not before.strip() else _marked(added, "{+", "+}"))
    return _lines("".join(old).splitlines(), "".join(new).splitlines())


def _marked(words: str, begin: str, end: str) -> str:
    return "\n".join(_LINE_OF.sub(rf"\g<1>{begin}\g<2>{end}\g<3>", line) for line in words.split("\n"))


def _lines(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Return the lines that differ with their signs, and some of those around them."""
    found: list[str] = []
    for operation, a, b, c, d in steps(old, new):
        if operation != "equal":
            found += [*_folded(STRUCK, old[a:b]), *_folded(ADDED, new[c:d])]
            continue
        before, after = (CONTEXT if a > 0 else 0), (CONTEXT if b < len(old) else 0)
        if b - a > before + after + 1:
            found += [*_folded(SAME, old[a : a + before]), SKIPPED, *_folded(SAME, old[b - after : b])]
        elif before or after:
            found += _folded(SAME, old[a:b])
    return found if any(line[:2] in (STRUCK, ADDED) for line in found) else []


def _folded(sign: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield lines with their sign, hidden characters shown; a long one goes on, so that nothing is beyond the edge."""
    wrap = textwrap.TextWrapper(
        WIDTH, drop_whitespace=False, replace_whitespace=False, expand_tabs=False, break_on_hyphens=False
    )
    for line in lines:
        yield from (sign + piece for piece in wrap.wrap(visible(line).replace("\n", " ")) or [""])


def redlines_in(session: Session, content: GameContent) -> Iterable[Redline]:
    """Yield the changes of a content, each against its rule as it was when the change was made."""
    for change, file in zip(content.changes, content.files, strict=True):
        yield _redline(session, change, file, _target(change) in content.stale)


def proposal_redlines(session: Session, proposal: Proposal) -> tuple[Redline, ...]:
    """Return the changes of a proposal, each against its rule as it was when the change was made."""
    return tuple(_redline(session, change) for change in proposed(proposal))


def _redline(session: Session, change: ProposedChange, file: str = "", stale: bool = False) -> Redline:
    """Return a change against its rule as it was in the revision on which the change was made."""
    uid, revision = _target(change), change.get("revision")
    meta = (session.document("law").get("rules") or {}).get(uid) or {}
    is_older = revision is not None and meta.get("revision") != revision
    rule: Shown | None = (session.document(f"rules/{uid}") or None) if uid else None
    if meta and revision is not None and (is_older or rule is None):
        past = session.document(f"history/{uid}").get("revisions") or ()
        then = (each for each in past if each.get("revision") == revision and not each.get("repealed"))
        rule = next(then, rule)
    return replace(redline(change, rule, file, stale or is_older), gone=bool(uid) and not meta.get("in_force"))


def _target(change: ProposedChange) -> str:
    """Return the uid of the rule that a change is about, "" for a new one."""
    kind = kind_of(change)
    return "" if kind == "enact" else str(change[kind])


MOST = 200  # sentences of a kind


class Ruling(Struct, frozen=True, kw_only=True):
    """What the law says of something: yes, or no with the code, the reason and the number of the rule that says so."""

    ok: bool
    code: str = ""
    why: str = ""
    rule: str = ""


class Preview(Struct, frozen=True, kw_only=True):
    """What a pull request would do in one game.

    `proper` is what the law says of the changes, `proposing` of proposing them now; `effects` and what follows are
    sentences of what adoption would bring, `against` of what defeat would, each with what hangs on dice; `judged` says
    that one office decides, which `judge` holds; `falls` which outcome the law says though all vote for it, by the word
    `choice`; `refused` why it refuses ballots as things are; `failures` of scripts that would fail, `problems` of
    scripts and examples; `locked_out` says why no rule-change could be adopted afterwards, `later` what to beware of
    when time passes, `died` that the trial ended the sandbox.
    """

    changes: tuple[Redline, ...]
    requests: tuple[str, ...] = ()
    proper: Ruling = Ruling(ok=True)
    proposing: Ruling | None = None
    adopted: bool = False
    why: str = ""
    falls: str = ""
    choice: str = ""
    refused: str = ""
    effects: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    judged: bool = False
    judge: str = ""
    office: str = ""
    remarks: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    new_actions: tuple[str, ...] = ()
    lost_actions: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    locked_out: str = ""
    later: tuple[str, ...] = ()
    died: str = ""
    paused: bool = False


def preview(
    session: Session, content: GameContent, title: str, author: str | None, now: int, proposal: str = "", body: str = ""
) -> Preview:
    """Return what the content of a pull request would do in a game, as a proposal of a `title` by `author`.

    `author` is None for a stranger; `now` is no earlier than the last entry (Unix seconds); `proposal` is the id of the
    proposal where it was taken in already, whose ballots are then taken as they stand; the `body` may name the act
    that takes it in.
    """
    changes = list(content.changes)
    requests = acts_apart(content, session.actions())[0]
    act = taken_by(session, content, title, body, author) if changes and not proposal else None
    told = session.sandbox.trial(changes, title, author, max(now, session.at), requests, proposal, act)
    shown: Shown = {
        "changes": tuple(redlines_in(session, content)),
        "requests": requests_of(requests),
        "paused": session.kept(GAME).get("paused") is not None,
    }
    if "died" in told:
        return Preview(**shown, died=told["died"], proper=Ruling(ok=False, code="E-JUDGE", why=told["died"]))
    here = Here(GameView(slug=session.record.name, documents=session.documents), "index.md")
    number, decider, failures = here.view.number, told["decider"] or {}, told["failures"]
    if (told["proposing"] or {}).get("code") == "E-NOT-PLAYER":  # rules that are right fail over a stranger
        failures = [each for each in failures if each["rule"] not in here.view.law]
    files = files_of(zip(changes, content.files, strict=True), told["effects"])
    return Preview(
        **shown,
        **{name: told[name] for name in _AS_TOLD},
        proper=_ruling(told["proper"], number),
        proposing=_ruling(told["proposing"], number) if told["proposing"] else None,
        effects=tuple(tried_sentences(here, told["effects"], told["trials"])),
        against=tuple(tried_sentences(here, told["against"], told["against_trials"])),
        judge=str(decider.get("player") or ""),
        office=str(decider.get("as") or ""),
        remarks=tuple(_remarks(here, told["reasons"], told["proper"])),
        failures=tuple(failure_sentence(failure, number, files) for failure in failures[:MOST]),
        problems=tuple(check_changes(session.sandbox, session, [*zip(changes, content.files, strict=True)])[:MOST]),
        pages=tuple(_page(page, number, files) for page in told["pages"][:MOST]),
        new_actions=tuple(told["new_actions"]),
        lost_actions=tuple(told["lost_actions"]),
        later=tuple(told["later"][:MOST]),
    )


_AS_TOLD = ("adopted", "why", "falls", "choice", "refused", "locked_out", "judged")


def requests_of(requests: Iterable[Request]) -> tuple[str, ...]:
    """Return the requests that travel with a proposal, in plain words."""
    given = ((each["name"], ", ".join(f"{name}: {value}" for name, value in each["args"].items())) for each in requests)
    return tuple(f"{name} {words}".strip() for name, words in given)


def _ruling(told: Shown, number: Callable[[str], str]) -> Ruling:
    why, code, rule = (str(told.get(name) or "") for name in ("why", "code", "rule"))
    return Ruling(ok=bool(told["ok"]), code=code, why=why, rule=number(rule) if rule else "")


def of_effects(here: Here, changed: Iterable[Effect]) -> list[str]:
    """Return what effects changed, one plain sentence each (see `sentences.of_effects`)."""
    return [unmarked(sentence) for sentence in sentences.of_effects(here, changed)]


def tried_sentences(here: Here, changed: Sequence[Effect], trials: Sequence[Sequence[Effect]]) -> list[str]:
    """Return what effects changed in a trial, one plain sentence each (see `sentences.tried`)."""
    return [unmarked(said) for said in sentences.tried(lambda tale: sentences.of_effects(here, tale), changed, trials)]


def failure_sentence(failure: Failure, number: Callable[[str], str], files: Files = NO_FILES) -> str:
    """Return the failure of a script as a sentence, with its place in the rule's file where that is given."""
    place = where(failure, files)
    hook = f": {failure['hook']}" if failure["hook"] else ""
    rule = rule_in_words(str(failure["rule"]), number)
    return f"{rule}{hook} failed{f' {place}' if place else ''}: {failure['error']}"


def _remarks(here: Here, given: Iterable[Reason], ruling: Shown) -> list[str]:
    """Return reasons as plain sentences, but for that of a ruling; what they say of the draft goes without its name."""
    found = []
    ruled = tuple(ruling.get(name) for name in ("code", "rule", "why"))
    for why in given:
        args = why.get("args") or {}
        if (why["code"], why.get("rule"), args.get("why")) != ruled:
            kept = {name: value for name, value in args.items() if value != "proposal/draft"}
            found.append(unmarked(sentences.reason(here, {**why, "args": kept} if "args" in why else why)))
    return found[:MOST]


_PAGES = {"new": "a new page", "gone": "no longer shown", "changed": "changed", "failing": "cannot be shown"}


def _page(page: Shown, number: Callable[[str], str], files: Files) -> str:
    place = where(page, files)
    error = f"{f' {place}' if place else ''}: {page['error']}" if page.get("error") else ""
    return f"{page['title']} ({page['name']}, rule {number(page['rule'])}): {_PAGES[page['change']]}{error}"


def check_changes(sandbox: Sandbox, session: Session, changes: list[tuple[ProposedChange, str]]) -> list[Problem]:
    """Return what is wrong with the scripts of changes (each with its file), and which examples do not hold."""
    law = session.law()
    rules = {str(rule.get("uid")): rule for rule in law["rules"]}
    checked: dict[str, Shown] = {}
    for place, (change, file) in enumerate(changes):
        kind = kind_of(change)
        uid = f"{NEW}-{place}" if kind == "enact" else str(change[kind])
        if kind == "repeal" or (kind != "enact" and uid not in rules):
            rules.pop(uid, None)
            continue
        named = {"rule": uid, "uid": uid} if kind == "enact" else {}
        parts = {**named, **_changed(kind, change, rules.get(uid, {}))}
        rules[uid] = {part: value for part, value in parts.items() if value not in ("", {}, [], None)}
        own = change.get("source") or change.get("enact", {}).get("source")  # none where an act retitles or transmutes
        text = own or write_yaml({part: value for part, value in rules[uid].items() if part in RULE_PARTS})
        checked[uid] = {"rule": rules[uid], "text": text, "file": file}
    if not checked:
        return []
    found = sandbox.check({**law, "rules": list(rules.values()), "on_trial": True}, list(checked.values()))
    if not session.kept(GAME).get("sealing"):
        found += [problem for each in checked.values() for problem in without_keeper(**each)]
    return found
