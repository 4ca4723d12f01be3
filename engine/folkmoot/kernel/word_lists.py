"""Word lists that a law looks up: fetched when a rule first asks, and held against the digest of the founding."""

from __future__ import annotations

from folkmoot.core.digest import bytes_digest
from folkmoot.core.keys import GAME
from folkmoot.core.problems import fail
from folkmoot.core.values import told
from folkmoot.core.word_lists import LISTS, WordList, file_of
from folkmoot.kernel.errors import Fault
from folkmoot.kernel.play import Play
from folkmoot.language.host_functions import host


@host("reading", "in_list(list: str, word: str) -> bool", looks=True)
def in_list(play: Play, name: str, word: str) -> bool:
    """Whether a word is, letter by letter, in a word list that the game was founded with (`lists/NAME.txt`).

    Example:
        announce("tea is a word" if in_list("english", "tea") else "tea is none")
    """
    spec = (play.documents[GAME].get("lists") or {}).get(name)
    if spec is None:
        raise Fault(f"this game has no word list {told(name)}", "E-NO-SUCH")
    known = play.word_lists.get(spec["digest"])
    if known is None:
        known = play.word_lists[spec["digest"]] = _fetched(play, name, spec["digest"])
    return word in known


def _fetched(play: Play, name: str, digest: str) -> WordList:
    """Return a list; raises E-LIST, for which no rule answers, where it is not that of the founding."""
    found = play.documents.fetch_list(f"{LISTS}{name}/{digest}")
    text = found.get("words") if found is not None else None
    if not isinstance(text, str):
        why = "is missing"
    elif bytes_digest(text.encode()) != digest:
        why = "is not the one that the game was founded with"
    else:
        return WordList(text)
    hint = f"put {file_of(name)} of the game's folder back as it was committed first; nothing was recorded"
    raise fail("E-LIST", f"the word list {name} {why}", None, hint)
