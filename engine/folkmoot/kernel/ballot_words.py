"""Ballots in the law's own words: which choice somebody means by what is typed, and how a choice is typed.

Only here stand words that the engine knows by itself: those that hold where no rule in force says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from folkmoot.core.characters import folded
from folkmoot.core.sealed_data import read_box
from folkmoot.core.values import BLANKS

CHOICES = ["for", "against", "abstain"]  # where no rule answers `choices`
REVIEWS: Mapping[str, tuple[str, ...]] = {  # where no rule answers `review`: the first of these that is a choice
    "approve": ("for", "yes", "aye", "accept", "approve"),
    "request_changes": ("against", "no", "nay", "reject", "request changes"),
}
BALLOTS = frozenset(CHOICES).union(*REVIEWS.values())  # which people write as commands, whatever the law's choices are
SAID = {words[0]: verdict for verdict, words in REVIEWS.items()}  # how one asks for a review by the command `moot vote`
ENDS = ":,"  # after a choice
CLOSES = f"{ENDS}.;!"  # after a choice with which a review begins
STRESS = "*_"  # around it
_WORD = re.compile(f"[^{re.escape(BLANKS)}]+")
QUOTED = re.compile(f'"([^"]+)"(?=[{re.escape(BLANKS + ENDS)}]|$)[{re.escape(ENDS)}]?')
NAMED = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)=")
_VOTE = re.compile(f"^vote[{re.escape(BLANKS + STRESS)}]*:", re.IGNORECASE | re.ASCII)
_BECAUSE = re.compile(f"(?:because|as|since)(?:[{re.escape(BLANKS)}]+|$)", re.IGNORECASE | re.ASCII)


class Typed(Struct, frozen=True):
    """A ballot as it was typed: its choice in the law's own words, and the reason; or `flaw`, what is wrong with it."""

    choice: str = ""
    reason: str = ""
    flaw: str = ""


def plain(words: str) -> str:
    """Return words as they are compared: whatever the case, and however much is blank between them."""
    return folded(" ".join(_WORD.findall(words)))


def in_law_words(typed: str, choices: Sequence[str]) -> str:
    """Return the choice that is typed, as the law writes it; what is no choice, or might be two, stays as it is.

    >>> in_law_words("for", ["FOR", "AGAINST"]), in_law_words("for", ["For", "FOR"]), in_law_words("perhaps", [])
    ('FOR', 'for', 'perhaps')
    >>> in_law_words("yes", ["for", "against"]), in_law_words("yes", ["for", "aye"])
    ('for', 'yes')
    """
    found = _alike(typed, choices) or _meaning_the_same(typed, choices)
    return found[0] if len(found) == 1 else typed


def _meaning_the_same(typed: str, choices: Sequence[str]) -> list[str]:
    """Return the only choice that says in most games what is typed, in a list: “for” where somebody types “yes”."""
    words = REVIEWS.get(verdict_of(typed), ())
    found = [choice for choice in choices if plain(choice) in words]
    return found if len(found) == 1 else []


def _alike(typed: str, choices: Sequence[str]) -> list[str]:
    """Return the choices that are written as something is typed; where none is, those that differ in capitals only."""
    return [typed] if typed in choices else [each for each in dict.fromkeys(choices) if plain(each) == plain(typed)]


def choice_of_review(verdict: str, choices: Sequence[str]) -> str:
    """Return the choice that a review stands for where no rule says: by the words that most games vote by.

    It is "" where the law has choices, and none of those words is among them.

    >>> [choice_of_review("approve", known) for known in ([], ["NO", "YES"], ["endorse cid"])]
    ['for', 'YES', '']
    >>> choice_of_review("request_changes", ["approve", "request changes"])
    'request changes'
    """
    words = REVIEWS[verdict]
    known = {plain(choice): choice for choice in reversed(choices)}
    return next((known[word] for word in words if word in known), "" if choices else words[0])


def review_said(verdict: str) -> str:
    """Return the word by which one asks for a review by the command `moot vote`.

    >>> review_said("approve"), review_said("request_changes")
    ('for', 'against')
    """
    return REVIEWS[verdict][0]


def verdict_of(choice: str) -> str:
    """Return which review says a choice in most games: approve, request_changes, or "" where none does."""
    return next((verdict for verdict, words in REVIEWS.items() if plain(choice) in words), "")


def read_typed(said: str, choices: Sequence[str] | None) -> Typed:
    """Return the ballot that a line says: the longest choice that it begins with, and its reason.

    Args:
        said: such as `endorse cid because they asked`; a choice may stand in double quotation marks.
        choices: by which words one votes; empty where any may be one, None where that is not known yet.

    >>> read_typed("Maybe Not, I fear", ["maybe", "maybe not"])
    Typed(choice='maybe not', reason='I fear', flaw='')
    >>> read_typed("maybe not", ["maybe", "maybe not today"]).flaw
    '“maybe not” may mean maybe or maybe not today: put the one you mean in quotation marks, as in `/vote "maybe"`'
    """
    quoted = QUOTED.match(said)
    if quoted is not None:
        choice = in_law_words(quoted[1], choices or ())
        two = _two(choice, choices)
        return two if two is not None else Typed(choice, without_because(said[quoted.end() :]))
    words = [(match[0], match.end()) for match in _WORD.finditer(said)]
    typed = read_words([word for word, _ in words], choices)
    if typed.flaw or not words:
        return typed
    taken = len(words) - len(_WORD.findall(typed.reason))
    return Typed(typed.choice, said[words[taken - 1][1] :].strip(BLANKS)) if typed.reason else typed


def read_said(said: str, choices: Sequence[str]) -> Typed | None:
    """Return the ballot with which what a reviewer wrote begins, None where it begins with none.

    A choice is one where its line ends with it, or a sign or the reason follows it: else it is the beginning of a
    sentence that may mean anything. "Vote:" may stand before it.

    >>> read_said("Maybe not, I fear", ["maybe", "maybe not"])
    Typed(choice='maybe not', reason='I fear', flaw='')
    >>> read_said("Yes, but no", ["no", "yes"]), read_said("Yes men wrote this", ["no", "yes"])
    (Typed(choice='yes', reason='but no', flaw=''), None)
    >>> read_said("**FOR**", ["FOR"]), read_said("for", ["For", "FOR"]).flaw
    (Typed(choice='FOR', reason='', flaw=''), '“for” may mean For or FOR: write it in the same capitals')
    >>> read_said("VOTE: MAYBE NOT", ["MAYBE", "MAYBE NOT"])
    Typed(choice='MAYBE NOT', reason='', flaw='')
    """
    line, _, more = said.strip(BLANKS).partition("\n")
    line = _VOTE.sub("", line.strip(STRESS + BLANKS)).strip(STRESS + BLANKS)
    if QUOTED.match(line):
        typed = read_typed(line, choices)
        return typed if typed.flaw or typed.choice in choices else None
    words = line.split()
    for count in range(min(len(words), max((len(plain(choice).split()) for choice in choices), default=0)), 0, -1):
        begun = " ".join(words[:count])
        found = _alike(begun, choices) or _alike(begun.rstrip(CLOSES + STRESS), choices)
        if not found:
            continue
        if begun[-1] not in CLOSES and len(words) > count and not gives_reason(words[count]):
            longer = _longer(words[: count + 1], choices)
            return Typed(flaw=_may_mean(" ".join(words[: count + 1]), [found[0], *longer])) if longer else None
        rest = without_because(" ".join(words[count:]))
        reason = "\n".join(filter(None, (rest, more.strip(BLANKS))))
        return _two(begun.rstrip(CLOSES + STRESS), choices) or Typed(found[0], reason)
    return None


def read_words(words: Sequence[str], choices: Sequence[str] | None) -> Typed:
    """Return the ballot that words say, each of which may hold blanks, as those of a command line do."""
    known = choices or CHOICES
    for count in range(min(len(words), max(len(plain(choice).split()) for choice in known)), 0, -1):
        choice = _meant(" ".join(words[:count]), known, choices or ())
        if choice:
            goes_on = len(words) > count and not words[count - 1].endswith(tuple(ENDS))
            more = _longer(words[: count + 1], known) if goes_on else []
            if more:
                return Typed(flaw=_may_mean(" ".join(words[: count + 1]), [choice, *more]))
            two = _two(choice, choices)
            return two if two is not None else Typed(choice, without_because(" ".join(words[count:])))
    return _unknown(words, choices)


def _meant(said: str, choices: Sequence[str], of_law: Sequence[str]) -> str:
    for typed in (said, said.rstrip(ENDS)):
        found = _alike(typed, choices) or _meaning_the_same(typed, of_law)
        if found:
            return found[0] if len(found) == 1 else typed
    return ""


def _two(choice: str, choices: Sequence[str] | None) -> Typed | None:
    """Return what is wrong with a choice that may mean two which differ in capitals only, None where nothing is."""
    found = _alike(choice, choices or ())
    if len(found) < 2:
        return None
    return Typed(flaw=f"“{choice}” may mean {' or '.join(found)}: write it in the same capitals")


def _longer(words: Sequence[str], choices: Sequence[str]) -> list[str]:
    """Return the choices that go on as words do, and further."""
    begun = f"{plain(' '.join(words))} "
    return [choice for choice in choices if plain(choice).startswith(begun)]


def _may_mean(said: str, choices: Sequence[str]) -> str:
    how = f'put the one you mean in quotation marks, as in `/vote "{choices[0]}"`'
    return f"“{said[:80]}” may mean {' or '.join(choices)}: {how}"


def _unknown(words: Sequence[str], choices: Sequence[str] | None) -> Typed:
    """Return a ballot by words that are no known choice: as they are up to the reason, or what is wrong with them."""
    pairs = enumerate(pairwise(words), 1)
    most = next((count for count, (a, b) in pairs if a.endswith(tuple(ENDS)) or gives_reason(b)), 0)
    free = choices is not None and not choices
    if free and not most and len(words) > 1:
        said = " ".join(words)[:80]
        how = f'`/vote "{said}"`, or give the reason after “because”, as in `/vote {words[0]} because …`'
        return Typed(flaw=f"“{said}” may be a choice, or a choice and its reason: write {how}")
    several = free or any(len(plain(c).split()) > 1 and _longer(words[:1], [c]) for c in choices or ())
    count = (most or len(words)) if several else 1
    choice = " ".join(words[:count]).rstrip(ENDS)
    verbatim = not choice.isascii() or read_box(choice) is not None
    return Typed(choice if verbatim else choice.lower(), without_because(" ".join(words[count:])))


def gives_reason(word: str) -> bool:
    """Say whether a word begins a reason: because, as, since."""
    return _BECAUSE.match(word) is not None


def without_because(rest: str) -> str:
    """Return the reason that follows a choice, without the word that begins it."""
    rest = rest.strip(BLANKS)
    begun = _BECAUSE.match(rest)
    return rest[begun.end() :] if begun else rest


def typed_choice(choice: str, choices: Sequence[str]) -> str:
    """Return a choice so that it is read back as itself: in quotation marks where plain words would mean another.

    >>> [typed_choice(choice, ["maybe", "not a=b"]) for choice in ("maybe", "not a=b")]
    ['maybe', '"not a=b"']
    """
    read = read_typed(choice, list(choices))
    is_plain = read == Typed(choice) and not any(NAMED.match(w) or gives_reason(w) for w in _WORD.findall(choice))
    return choice if is_plain or '"' in choice else f'"{choice}"'
