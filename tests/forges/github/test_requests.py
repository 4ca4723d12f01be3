"""How many requests 200 pull requests with 20 reviews each take, with checks and calls."""

from __future__ import annotations

from pathlib import Path

from folkmoot.forges.port import Answer, Call, Check
from tests.forges.github.github_table import GitHubTable
from tests.forges.local_table import bare

PULLS, REVIEWS, CONSTANT = 200, 20, 12


def test_requests_follow_what_changed(tmp_path: Path) -> None:
    hub = bare(tmp_path)
    table = GitHubTable(tmp_path, str(hub), hub)
    bob, forge = table.id_of("bob"), table.forge
    numbers = [table.open("ann", f"No. {n}") for n in range(PULLS)]
    for number in numbers:
        for person in range(REVIEWS):
            table.review(f"p{person}", number, "approve")
    table.github.now += 60
    pages = -(-PULLS // 100) + 1
    forge.look(table.github.now)
    call = Call(key="vote-1", people=(bob,), text="vote.")
    answers = [
        Answer(pull=n, text="Open.", check=Check(commit=table.head(n), state="pending", summary="Open."), calls=(call,))
        for n in numbers
    ]
    forge.answer(answers)
    assert len(table.asked()) <= 6 * PULLS + pages + CONSTANT

    for _ in range(4):  # what was left over, and what we said ourselves, is read back; then there is nothing to read
        table.github.now += 60
        forge.look(table.github.now)
    table.asked()
    table.github.now += 60
    forge.look(table.github.now)
    assert len(table.asked()) <= 3
    table.review("late", numbers[7], "approve")
    table.asked()
    table.github.now += 60
    forge.look(table.github.now)
    assert len(table.asked()) <= 6 + 3
