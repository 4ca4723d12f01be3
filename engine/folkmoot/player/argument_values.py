"""The values that an argument of an action may have where there are few: players, rules, offices, choices, things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from folkmoot.core.documents import Document, Proposal
from folkmoot.core.keys import proposal_key
from folkmoot.core.proposal_numbers import handle
from folkmoot.core.rule_blocks import ArgumentSpec

Documents = Mapping[str, Document]
OF_THE_ENGINE = ("things/timer", "things/duty", "things/held")


def known_values(spec: ArgumentSpec, documents: Documents) -> list[str]:
    """Return the values that an argument may have, by its declaration and the documents of a game; none where many may.

    >>> known_values({"type": "choice", "of": ["tea", "milk"]}, {}), known_values({"type": "integer"}, {})
    (['tea', 'milk'], [])
    """
    metas = (documents.get("law") or {}).get("rules") or {}
    in_force = {uid: meta for uid, meta in metas.items() if meta.get("in_force")}
    match spec.get("type"):
        case "player":
            roster = documents.get("roster") or {}
            return [player for player, entry in roster.items() if entry.get("until") is None]
        case "rule":
            return [str(meta["number"]) for meta in in_force.values()]
        case "office":
            defined = ((documents.get(f"rules/{uid}") or {}).get("defines") or {} for uid in in_force)
            return [str(office) for each in defined for office in each.get("offices") or ()]
        case "proposal":
            return [_handle(str(each), documents) for each in (documents.get("game") or {}).get("open") or ()]
        case "thing":
            all_of = [key for key in documents if key.startswith("things/") and key not in OF_THE_ENGINE]
            keys = [f"things/{spec['kind']}"] if spec.get("kind") else all_of
            return [str(name) for key in keys for name in documents.get(key) or {}]
        case "boolean":
            return ["true", "false"]
        case "choice":
            return [str(choice) for choice in spec.get("of") or ()]
    return []


def _handle(identifier: str, documents: Documents) -> str:
    found = documents.get(proposal_key(identifier))
    return str(handle(cast(Proposal, found))) if found else identifier.partition("/")[2]
