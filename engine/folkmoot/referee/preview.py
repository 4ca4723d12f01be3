"""What a pull request would do, before anybody votes: its redline, what the law says of it, and what would come of it.

Scripts run in the sandbox only, and nothing of the trial stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from folkmoot.core.documents import Request
from folkmoot.core.keys import GAME, NEW, rule_in_words
from folkmoot.core.problems import Problem
from folkmoot.core.records import Effect, Failure, ProposedChange, Reason, Shown
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.files.canonical import write_yaml
from folkmoot.files.reader import NO_FILES, Files, files_of, where
from folkmoot.game.session import Session
from folkmoot.referee.content import GameContent, split_requests
from folkmoot.referee.pull_request_action import taken_by
from folkmoot.referee.redlines import Redline, kind_of, redlines_in
from folkmoot.sandbox.client import Sandbox
from folkmoot.scenarios.check_sealed import without_keeper
from folkmoot.wording import sentences
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import unmarked
from folkmoot.wording.page_links import Here

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
    `choice`; `refused` why it refuses ballots as things are;
    `failures` of scripts that would fail, `problems` of scripts and examples;
    `locked_out` says why no rule-change could be adopted afterwards, `later` what to beware of when time passes, `died`
    that the trial ended the sandbox.
    """

    changes: tuple[Redline, ...]
    requests: tuple[str, ...] = ()
    number: int | None = None
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
    session: Session,
    content: GameContent,
    title: str,
    author: str | None,
    now: int,
    proposal: str = "",
    body: str = "",
) -> Preview:
    """Return what a pull request would do in a game.

    Args:
        session: the game.
        content: what the pull request changes in it.
        title: what the proposal is called.
        author: the player who proposes, None for a stranger.
        now: Unix seconds; no earlier than the last entry.
        proposal: the id of the proposal where it was taken in already, whose ballots are then taken as they stand.
        body: the description of the pull request, which may name the act that takes it in.
    """
    changes = list(content.changes)
    requests, _acts = split_requests(content, session.actions())
    act = taken_by(session, content, title, body, author) if changes and not proposal else None
    told = session.sandbox.trial(changes, title, author, max(now, session.at), requests, proposal, act)
    shown: Shown = {
        "changes": tuple(redlines_in(session, content)),
        "requests": requests_of(requests),
        "paused": session.kept(GAME).get("paused") is not None,
    }
    if "died" in told:
        return Preview(**shown, died=told["died"], proper=Ruling(ok=False, code="E-JUDGE", why=told["died"]))
    shown["problems"] = tuple(checked(session.sandbox, session, content)[:MOST])
    return _told(session, told, shown, files_of(zip(changes, content.files, strict=True), told["effects"]))


def _told(session: Session, told: Shown, shown: Shown, files: Files) -> Preview:
    here = Here(GameView(slug=session.record.name, documents=session.documents), "index.md")
    names = _numbers(session)
    proper = _ruling(told["proper"], names)
    return Preview(
        **shown,
        number=told["number"],
        proper=proper,
        proposing=_ruling(told["proposing"], names) if told["proposing"] else None,
        adopted=told["adopted"],
        why=told["why"],
        falls=told["falls"],
        choice=told["choice"],
        refused=told["refused"],
        effects=tuple(tried_sentences(here, told["effects"], told["trials"])),
        against=tuple(tried_sentences(here, told["against"], told["against_trials"])),
        judged=bool(told["judged"]),
        judge=str((told["decider"] or {}).get("player") or ""),
        office=str((told["decider"] or {}).get("as") or ""),
        remarks=tuple(_remarks(here, (why for why in told["reasons"] if not _is_ruling(why, told["proper"])))),
        failures=tuple(
            failure_sentence(failure, lambda uid: names.get(uid, uid), files) for failure in told["failures"][:MOST]
        ),
        new_actions=tuple(told["new_actions"]),
        lost_actions=tuple(told["lost_actions"]),
        pages=tuple(_page(page, names, files) for page in told["pages"][:MOST]),
        locked_out=told["locked_out"],
        later=tuple(told["later"][:MOST]),
    )


def requests_of(requests: Iterable[Request]) -> tuple[str, ...]:
    """Return the requests that travel with a proposal, in plain words."""
    return tuple(f"{request['name']} {_arguments(request['args'])}".strip() for request in requests)


def _arguments(given: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in given.items())


def _numbers(session: Session) -> dict[str, str]:
    metas = session.document("law").get("rules") or {}
    return {uid: str(meta["number"]) for uid, meta in metas.items()}


def _ruling(told: Shown, numbers: Mapping[str, str]) -> Ruling:
    rule = str(told.get("rule") or "")
    why, code = str(told.get("why") or ""), str(told.get("code") or "")
    return Ruling(ok=bool(told["ok"]), code=code, why=why, rule=numbers.get(rule, rule))


def of_effects(here: Here, changed: Iterable[Effect]) -> list[str]:
    """Return what effects changed, one plain sentence each (see `sentences.of_effects`)."""
    return [unmarked(sentence) for sentence in sentences.of_effects(here, changed)]


def tried_sentences(here: Here, changed: Sequence[Effect], trials: Sequence[Sequence[Effect]]) -> list[str]:
    """Return what effects changed in a trial, one plain sentence each (see `sentences.tried`)."""
    return [unmarked(said) for said in sentences.tried(lambda tale: sentences.of_effects(here, tale), changed, trials)]


def failure_sentence(failure: Failure, number: Callable[[str], str], files: Files = NO_FILES) -> str:
    """Return the failure of a script as a sentence, with its place in the rule's file where that is given.

    `number` returns a rule's number from its uid.
    """
    place = where(failure, files)
    hook = f": {failure['hook']}" if failure["hook"] else ""
    rule = rule_in_words(str(failure["rule"]), number)
    return f"{rule}{hook} failed{f' {place}' if place else ''}: {failure['error']}"


def _remarks(here: Here, given: Iterable[Reason]) -> list[str]:
    """Return reasons as plain sentences; what they say of the draft itself goes without its name."""
    return [unmarked(sentences.reason(here, _nameless(why))) for why in given][:MOST]


def _nameless(why: Reason) -> Reason:
    kept = {name: value for name, value in (why.get("args") or {}).items() if value != "proposal/draft"}
    return {**why, "args": kept} if "args" in why else why


def _is_ruling(why: Reason, told: Shown) -> bool:
    """Say whether a reason is the very one for which a ruling says no."""
    given = why.get("args") or {}
    return (why["code"], why.get("rule"), given.get("why")) == (told.get("code"), told.get("rule"), told.get("why"))


_PAGES = {"new": "a new page", "gone": "no longer shown", "changed": "changed", "failing": "cannot be shown"}


def _page(page: Shown, numbers: Mapping[str, str], files: Files) -> str:
    rule = numbers.get(page["rule"], page["rule"])
    place = where(page, files)
    error = f"{f' {place}' if place else ''}: {page['error']}" if page.get("error") else ""
    return f"{page['title']} ({page['name']}, rule {rule}): {_PAGES[page['change']]}{error}"


# -- examples


def checked(sandbox: Sandbox, session: Session, content: GameContent) -> list[Problem]:
    """Return what is wrong with the scripts of the rules that change, and which of their examples do not hold."""
    return check_changes(sandbox, session, list(zip(content.changes, content.files, strict=True)))


def check_changes(sandbox: Sandbox, session: Session, changes: list[tuple[ProposedChange, str]]) -> list[Problem]:
    """Return what is wrong with changes, each given with the file that it was read from; see `checked`."""
    law = session.law()
    rules = {str(rule.get("uid")): rule for rule in law["rules"]}
    checked: dict[str, Shown] = {}
    for place, (change, file) in enumerate(changes):
        kind = kind_of(change)
        uid = f"{NEW}-{place}" if kind == "enact" else str(change[kind])
        if kind == "repeal" or (kind != "enact" and uid not in rules):
            rules.pop(uid, None)
            continue
        rules[uid] = _changed(kind, change, rules.get(uid, {}), uid)
        checked[uid] = {
            "rule": rules[uid],
            "text": change.get("source") or change.get("enact", {}).get("source") or _text_of(rules[uid]),
            "file": file,
        }
    found = (
        sandbox.check({**law, "rules": list(rules.values()), "on_trial": True}, list(checked.values()))
        if checked
        else []
    )
    if not session.kept(GAME).get("sealing"):
        found += [problem for each in checked.values() for problem in without_keeper(**each)]
    return found


def _text_of(rule: Shown) -> str:
    """Return a rule as its file would say it, where a change brings none: it is transmuted or retitled by an act."""
    return write_yaml({part: value for part, value in rule.items() if part in RULE_PARTS})


def _changed(kind: str, change: ProposedChange, present: Shown, uid: str) -> Shown:
    """Return a rule's document as a change would leave it."""
    if kind == "transmute":
        return {**present, "labels": {**(present.get("labels") or {}), "status": change["to"]}}
    parts = {"title": change["to"]} if kind == "retitle" else change["enact"] if kind == "enact" else change
    kept = {name: value for name, value in parts.items() if name not in ("source", "amend", "revision")}
    named = {"rule": uid, "uid": uid} if kind == "enact" else {}
    return {part: value for part, value in {**named, **present, **kept}.items() if value not in ("", {}, [], None)}
