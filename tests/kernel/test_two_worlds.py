"""Two worlds that differ in what is sealed alone are the same in public, whatever the law is."""

from __future__ import annotations

from random import Random

import pytest

from tests.conftest import FUZZ
from tests.support.sealed_worlds import Law, acts, played

CASES = 4_000 if FUZZ else 60
TOGETHER = 20


@pytest.mark.threat("T-82")
@pytest.mark.parametrize("first", range(0, CASES, TOGETHER))
def test_random_laws_tell_nothing_of_what_is_sealed(first: int) -> None:
    for seed in range(first, first + TOGETHER):
        random = Random(seed)
        law, script = Law(random).rule(), acts(random, 8)
        (one, _), (other, _) = (played(law, script, world) for world in (0, 1))
        for here, there, act in zip(one, other, script, strict=False):
            assert here == there, (seed, act, law["script"])
        assert len(one) == len(other), seed
