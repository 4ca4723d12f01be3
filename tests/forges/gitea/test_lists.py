"""Lists of Forgejo and Gitea are read to their end, whatever comes twice or in another order."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.forges.conformance import NOW
from tests.forges.gitea.emulator import GENERATIONS
from tests.forges.gitea.gitea_table import GiteaTable
from tests.forges.local_table import bare


@pytest.mark.parametrize("generation", GENERATIONS)
def test_doubled_and_shuffled_items_hide_nobody_elses(tmp_path: Path, generation: str) -> None:
    hub = bare(tmp_path)
    table = GiteaTable(tmp_path, str(hub), hub, GENERATIONS[generation])
    table.gitea.pages = 3
    number = table.open("ann", "A dragon")
    said = [table.review(who, number, "approve") for who in ("bob", "cid", "dee", "eve", "fay", "gil", "hal")]
    said += [table.comment("bob", number, f"No. {n}") for n in range(7)]
    chance = random.Random(7)

    def doubled(request: httpx.Request, answering: Callable[[], httpx.Response]) -> httpx.Response | None:
        answer = answering()
        if answer.status_code != 200 or not isinstance(answer.json(), list):
            return None
        items = answer.json() * 2
        chance.shuffle(items)
        headers = {name: value for name, value in answer.headers.items() if name.lower() != "content-length"}
        return httpx.Response(200, headers=headers, json=items)

    table.gitea.faults = [doubled]
    seen = table.forge.look(NOW)
    assert {each.id for each in seen.remarks[number]} == set(said)
    assert len(seen.remarks[number]) == len(said)
