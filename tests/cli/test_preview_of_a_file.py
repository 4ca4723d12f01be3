"""Finding 9 of the first hour: the preview of a file was headed "The game stands still", and was raw Markdown."""

from __future__ import annotations

from tests.support.gathering import TEA, Gathering


def test_a_file_is_previewed_under_its_own_heading_in_plain_words(gathering: Gathering) -> None:
    text = TEA.replace("for everybody", "for `all_of_us` *now*")
    said = gathering.moot("ann", "try", "--comment", gathering.file("tea.yaml", text)).out
    assert "If this were proposed · Tea" in said
    assert "stands still" not in said
    assert "It enacts a new rule" in said
    for mark in ("**", "####", "```", "\\"):
        assert mark not in said
    assert "    + There is tea for `all_of_us` *now*." in said
