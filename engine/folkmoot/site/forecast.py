"""What an open vote would do: each end of it is tried on a copy of the game as it stands, and told in words.

A trial takes up to some seconds, so it is stored below `build/` with the digest of all that it is made of: of the
engine and of every document of the game. It is asked for the first votes to end; a page without one is whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.documents import Proposal
from folkmoot.core.keys import GAME
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Effect, ProposedChange
from folkmoot.game.session import Session
from folkmoot.game.status import deadline
from folkmoot.site.output import engine
from folkmoot.site.polls import listed
from folkmoot.wording import sentences
from folkmoot.wording.catalogue import quoted
from folkmoot.wording.game_view import is_proposal
from folkmoot.wording.markup import Html, el, join, sentence
from folkmoot.wording.page_links import Here, humane, of_amount
from folkmoot.wording.prose import phrase

TRIAL = "trial:"
"""What stands before the id of a proposal in the key of the trial of it, among the answers of a view."""
MOST_TRIED, MOST_WARNINGS = 6, 6
LAW = frozenset("win enact amend repeal transmute retitle renumber order omit".split())
"""Effects of a vote that are told first: who wins, and what becomes of the law."""


class Trial(Struct):
    """What the site tells of a trial (see `folkmoot.scenarios.trial.rehearse`)."""

    adopted: bool = False
    why: str = ""
    falls: str = ""
    refused: str = ""
    choice: str = ""
    judged: bool = False
    locked_out: str = ""
    effects: list[Effect] = []
    trials: list[list[Effect]] = []
    against: list[Effect] = []
    against_trials: list[list[Effect]] = []
    new_actions: list[str] = []
    lost_actions: list[str] = []
    pages: list[dict[str, Any]] = []
    failures: list[dict[str, Any]] = []
    later: list[str] = []


class Forecast(Struct, frozen=True):
    """What a vote would do if its changes become `law` (None: they cannot) and if not, and what to beware of.

    `judged` says that it was tried with the votes as the law counts them, otherwise with all on one side.
    """

    law: tuple[Html, ...] | None
    defeat: tuple[Html, ...]
    warnings: tuple[Html, ...]
    judged: bool


# -- the trial


def trials_of(session: Session, folder: Path, now: int) -> dict[str, Trial]:
    """Return a trial of each of the first votes to end, by its key among the answers of a view.

    What the last trials came to is in `folder`; they are made anew where anything that they are made of has changed.
    """
    documents = session.documents
    votes = [cast(Proposal, each) for each in documents.values() if is_proposal(each) and each.get("state") == "open"]
    if not votes or (documents.get(GAME) or {}).get("over"):
        return {}
    first = sorted(votes, key=lambda vote: (deadline(documents, vote) or now * 2, vote["id"]))[:MOST_TRIED]
    files, name = CloneFiles.around(folder), f"{session.record.name}.json"
    known = None
    with suppress(msgspec.MsgspecError):
        known = msgspec.json.decode(files.read(name) or b"", type=_Stored)
    key = blake2b(engine().encode() + msgspec.json.encode(documents, order="deterministic"), digest_size=16).hexdigest()
    if known is None or known.key != key or known.trials.keys() != {vote["id"] for vote in first}:
        known = _Stored(key, {vote["id"]: _trial(session, vote, now) for vote in first})
        files.write(name, msgspec.json.encode(known))
    return {f"{TRIAL}{name}": trial for name, trial in known.trials.items() if trial is not None}


class _Stored(Struct):
    key: str
    trials: dict[str, Trial | None]


def _trial(session: Session, vote: Proposal, now: int) -> Trial | None:
    """Return what came of trying a proposal, None where nothing did: it took too long, or the law forbids it."""
    changes, author = cast(list[ProposedChange], vote["changes"]), vote["author"]
    try:
        told = session.sandbox.trial(changes, vote["title"], author, now, vote["requests"], vote["id"])
    except ProblemError:
        return None
    if "died" in told or not told["proper"]["ok"]:
        return None
    return msgspec.convert(told, Trial)


# -- in words


def forecast_of(here: Here, proposal: Proposal) -> Forecast | None:
    """Return what an open vote would do; None where it was not tried."""
    trial = here.view.answers.get(f"{TRIAL}{proposal.get('id')}")
    if not isinstance(trial, Trial):
        return None

    def effects(made: Sequence[Effect], trials: Sequence[Sequence[Effect]]) -> list[Html]:
        return sentences.tried(lambda tale: [*_sentences(here, proposal, tale)], made, trials)

    law = [*effects(trial.effects, trial.trials), *_offers(here, trial)] if trial.adopted else None
    defeat, warnings = effects(trial.against, trial.against_trials), [*_warnings(here, trial)][:MOST_WARNINGS]
    if not (warnings or law or defeat):
        return None
    return Forecast(None if law is None else tuple(law), tuple(defeat), tuple(warnings), trial.judged)


def _sentences(here: Here, vote: Proposal, made: Sequence[Effect]) -> Iterator[Html]:
    """Yield what effects would change: who wins, the law, points, then what else readers look for."""
    yield from (join([sentences.effect(here, sentences.TRIED, what), "."]) for what in made if what["effect"] in LAW)
    yield from _payments(here, made)
    for what in made:
        if what["effect"] in ("owe", "put") and what.get("of") and _is_looked_for(here, vote, what):
            yield join([sentences.effect(here, sentences.TRIED, what), "."])


def _is_looked_for(here: Here, vote: Proposal, what: Effect) -> bool:
    """Say whether readers look for what somebody has to do, whose turn it is, or a register of players and things."""
    of, name = what["of"], str(what.get("name"))
    if what["effect"] == "owe" or of == "game":
        return what["effect"] == "owe" or (name == "mover" and bool(what.get("to")))
    return of != vote["id"] and not here.view.is_bookkeeping(dict(what)) and here.view.register_type(name) != "time"


def _payments(here: Here, made: Sequence[Effect]) -> Iterator[Html]:
    """Yield who gets or loses how much of what in all, those together who get as much by the same rules."""
    paid: dict[tuple[str, str], list[Effect]] = {}
    for what in made:
        if what["effect"] == "award" and what["applied"]:
            paid.setdefault((str(what["of"]), str(what["name"])), []).append(what)
    alike: dict[tuple[str, int, Html], list[Html]] = {}
    for (owner, currency), lines in paid.items():
        amount = sum(int(line["applied"]) for line in lines)
        alike.setdefault((currency, amount, _by(here, lines)), []).append(here.owner(owner))
    for (currency, amount, by), owners in alike.items():
        if len(owners) > 1:
            words = "{who} get {amount} each" if amount > 0 else "{who} lose {amount} each"
        else:
            words = "{who} gets {amount}" if amount > 0 else "{who} loses {amount}"
        if amount:
            shown = el("b", f"{abs(amount):,}", class_="plus" if amount > 0 else "minus")
            unit = join([shown, " ", of_amount(here.view, currency, amount)])
            yield join([sentence(words, who=listed(owners), amount=unit), by, "."])


def _by(here: Here, made: Sequence[Effect]) -> Html:
    rules = dict.fromkeys(str(each["rule"]) for each in made if each.get("rule"))
    return join([" (", join(map(here.rule, rules), ", "), ")"]) if rules else Html("")


def _offers(here: Here, trial: Trial) -> Iterator[Html]:
    """Yield what players could do then and could not before, and which pages rules show or show no more."""
    told = {"new": "The page {names} is new.", "gone": "The page {names} is no longer shown."}
    found = [("Then one can: {names}.", ", ".join(map(humane, trial.new_actions))),
             ("Then nobody can any more: {names}.", ", ".join(map(humane, trial.lost_actions))),
             *((told[it["change"]], str(it["title"])) for it in trial.pages if it["change"] in told)]  # fmt: skip
    yield from (sentence(words, names=phrase(names)) for words, names in found if names)


def _warnings(here: Here, trial: Trial) -> Iterator[Html]:
    """Yield why it would not become law, what of it would fail, and what to beware of as time passes."""
    if trial.falls:
        yield sentence("Even if everybody voted {choice} now, it would not become law: {why}.",
                       choice=phrase(trial.choice), why=quoted(here, trial.falls))  # fmt: skip
    elif not trial.adopted and trial.why:
        yield sentence("It could not be carried out: {why}.", why=quoted(here, trial.why))
    if trial.refused:
        yield sentence("As things are, votes are refused: {why}.", why=quoted(here, trial.refused))
    for said in filter(None, (trial.locked_out, *trial.later)):
        yield sentence("Mind: {what}.", what=quoted(here, said.rstrip(".")))
    for failure in trial.failures:
        uid = str(failure.get("rule"))
        rule = here.rule(uid, f"Rule {here.view.number(uid)}") if uid in here.view.law else ""
        error = quoted(here, str(failure.get("error") or ""))
        yield sentence("{rule} would fail: {error}.", rule=rule or "The new rule", error=error)
