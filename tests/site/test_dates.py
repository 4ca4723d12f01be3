"""Rules wrote times in digits on their pages, where every other page of the site writes them in words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from tests.support.site_game import block, game


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("2026-01-05 12:00", "Mon 5 Jan 2026, 12:00"),
        ("2026-01-05 12:00:30", "Mon 5 Jan 2026, 12:00:30"),
        ("2026-01-05T12:00:00Z", "Mon 5 Jan 2026, 13:00"),
        ("2026-01-05", "Mon 5 Jan 2026"),
        ("2026-02-30", "2026-02-30"),
        ("on 2026-01-05", "on 2026-01-05"),
        ("1-2-3", "1-2-3"),
    ],
)
def test_a_cell_is_shown_as_all_times_are(written: str, shown: str) -> None:
    view = game()
    documents = {**view.documents, "game": {**view.documents["game"], "zone": "Europe/Vienna"}}
    here = Here(replace(view, documents=documents), "x.md")
    table = {"block": "table", "columns": ["Ends"], "rows": [[written]]}
    assert strip(block(here, table, "b1")) == f"Ends{shown}"
    assert strip(block(here, {"block": "log", "lines": [written]}, "b1")) == shown
    assert strip(here.when(1767614400)) == "Mon 5 Jan 2026, 13:00"
