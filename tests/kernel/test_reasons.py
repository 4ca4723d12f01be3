"""Every code of the engine has its meaning; the sentences made of them are tested with the pages."""

from __future__ import annotations

import re
from pathlib import Path

from folkmoot.wording import sentences
from folkmoot.wording.sentences import CODES

ENGINE = Path(sentences.__file__).parents[1]
SOURCES = {
    path: path.read_text() for path in sorted(ENGINE.rglob("*.py")) if path.name not in ("sentences.py", "codes.py")
}


def test_every_code_in_the_engine_is_catalogued() -> None:
    used = {code for text in SOURCES.values() for code in re.findall(r'"([EW]-[A-Z][A-Z-]+[A-Z])"', text)}
    assert len(used) > 50
    assert used - set(CODES) == set()


def test_meanings_are_sentences() -> None:
    for code, meaning in CODES.items():
        assert meaning.endswith("."), code
        assert meaning[0].isupper(), code
