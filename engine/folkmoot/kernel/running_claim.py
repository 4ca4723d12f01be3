"""Which claim to become an administrator runs: who shows a game asks it without the acts of `kernel.succession`."""

from __future__ import annotations

from folkmoot.core.documents import Claim, Document


def claim_of(game: Document) -> Claim | None:
    """Return the claim that runs: `by`, `at`, `due` and `until` (Unix seconds), and `against`, those who object."""
    claim: Claim | None = (game.get("succession") or {}).get("claim")
    return claim
