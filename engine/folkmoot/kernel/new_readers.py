"""Who may read which contents from now on, after an event: what boxes are to be made of it."""

from __future__ import annotations

from collections.abc import Iterator

from folkmoot.core.documents import SealedValue
from folkmoot.core.keys import OFFICES, ROSTER, sealed_key
from folkmoot.core.records import Confided, Effect
from folkmoot.core.sealed_data import OFFICE
from folkmoot.kernel.play import Play
from folkmoot.kernel.sealed_values import closed_values, is_own
from folkmoot.kernel.vault import Content, KeptVault

GRANTING = frozenset(["seal", "disclose", "put", "sealing"])  # effects by which somebody may read more than before


def confided(play: Play, vault: KeptVault) -> list[Confided]:
    """Return the contents that somebody may read from now on who could not before, each with who that is."""
    readers: dict[int, set[str]] = {}
    for effect in play.effects:
        if effect["effect"] not in GRANTING:
            continue
        for number, reader in _granted(play, effect):
            readers.setdefault(number, set()).add(reader)
    found = []
    for number in sorted({*readers, *_made(play, vault)}):
        known = _known(play, number)
        if known is not None and "opened" not in known and not is_own(known):
            found.append(_confided(play, vault, number, known, readers.get(number, set())))
    return [each for each in found if each["to"] or each["keeper"]]


def _made(play: Play, vault: KeptVault) -> list[int]:
    """Return the numbers of values that rules made in this event and that stand, or that the keeper has anew."""
    new = [number for number in vault.made if (known := _known(play, number)) and known["seq"] == play.seq]
    anew = any(effect["effect"] == "sealing" and "commitment" in effect for effect in play.effects)
    return [*new, *(number for number, _ in closed_values(play))] if anew else new


def _granted(play: Play, effect: Effect) -> Iterator[tuple[int, str]]:
    kind, of = effect["effect"], str(effect.get("of"))
    if kind == "seal":
        for number in range(int(of), int(of) + effect.get("count", 1)):
            yield from ((number, reader) for reader in effect.get("to") or ())
            yield from ((number, author) for author in _authors(_known(play, number)))
    elif kind == "disclose":
        yield from ((int(of), reader) for reader in effect.get("to") or ())
    elif kind == "put" and of.startswith(OFFICE) and effect.get("name") == "holder":
        yield from ((number, of) for number, known in closed_values(play) if of in known["readers"])
    elif kind == "sealing" and of in play.documents[ROSTER]:
        for number, known in closed_values(play):
            held = {reader for reader in known["readers"] if _holder(play, reader) == of}
            if held or of in _authors(known):
                yield number, of


def _authors(known: SealedValue | None) -> list[str]:
    """Return who sealed a value and reads it therefore; nobody keeps a ballot in the record to show it."""
    author = known.get("by") if known is not None and "ballot" not in known else None
    return [author] if author else []


def _known(play: Play, number: int) -> SealedValue | None:
    return (play.documents.get(sealed_key(number)) or {}).get(str(number))


def _holder(play: Play, reader: str) -> str | None:
    if not reader.startswith(OFFICE):
        return reader
    holder = ((play.documents.get(OFFICES) or {}).get(reader[len(OFFICE) :]) or {}).get("holder")
    return str(holder) if holder is not None else None


def _confided(play: Play, vault: KeptVault, number: int, known: SealedValue, readers: set[str]) -> Confided:
    content: Content = vault.look(number)
    to = {_holder(play, reader) for reader in readers} - {None}
    made_here = number in vault.made and known["seq"] == play.seq and not known.get("by")
    return {
        "number": number,
        "value": content.value,
        "salt": content.salt,
        "error": content.error,
        "context": content.context,
        "place": [known["seq"], known["place"]],
        "to": sorted(str(reader) for reader in to),
        "keeper": made_here or known.get("held") == play.seq,
    }
