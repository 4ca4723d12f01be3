"""How each packaged ruleset is played at random, and what it promises after each entry."""

from __future__ import annotations

from tests.rulesets.promises.a_nomic import A_NOMIC, GO
from tests.rulesets.promises.b_nomic import B_NOMIC
from tests.rulesets.promises.imperials import IMPERIAL, TRAINING
from tests.rulesets.promises.small import ASSEMBLY, CONSENSUS, COUNCIL, EVENING, SUBER

MANNERS = {
    "a-nomic": A_NOMIC,
    "a-nomic at go": GO,
    "assembly": ASSEMBLY,
    "b-nomic": B_NOMIC,
    "consensus": CONSENSUS,
    "council": COUNCIL,
    "gavel": EVENING,
    "imperial": IMPERIAL,
    "imperial-training": TRAINING,
    "lanterns": EVENING,
    "orchard": EVENING,
    "suber": SUBER,
    "suber-mail": SUBER,
    "tricks": EVENING,
}
"""By the names of the rulesets, with a word behind those that are played in several ways."""
