"""A person is *they*: no packaged text, page or message has the invented pronouns of two old mail games."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "engine" / "folkmoot"
NAMED = ENGINE / "game" / "rulesets" / "b-nomic" / "rules" / "2-4.yaml"
"""The rule that has “proper use of Spivak pronouns” among the rules of grammar: that is a fact of its game."""
INVENTED = re.compile(
    r"(?<![\w<*_/.\-])(?:(?<!\")em|Em|[Ee]irs?|[Ee]s own|(?:[Ee]|[Tt]he)mself|[Ss]pivak)(?![\w>*_\-])"
    r"|(?<![\w/&.\\\-])(?<!\w')[Ee]\s+(?!(?:in|if|for|or|and|not|else)\b)(?=[a-z]{2})"
    r"|\belse\s+[\"'][Ee][\"']"
)
"""Their words; `e` alone only where a word follows it, since letters, directions and names in scripts are called so."""


def _prose(file: Path) -> Iterator[tuple[int, str]]:
    """Yield what a file says, with the numbers of lines: of modules the comments and texts, of others all of it."""
    if file.suffix == ".py":
        with tokenize.open(file) as opened:
            for token in tokenize.generate_tokens(opened.readline):
                if token.type not in (tokenize.COMMENT, tokenize.STRING) and "FSTRING" not in token_name(token):
                    continue
                yield token.start[0], token.string
    else:
        yield 1, file.read_text("utf-8")


def token_name(token: tokenize.TokenInfo) -> str:
    """Return what the tokenizer calls a token; texts with values in them are tokens of their own since Python 3.12."""
    return tokenize.tok_name[token.exact_type]


def invented(file: Path) -> list[str]:
    """Return where a file has an invented pronoun, each with what stands around it."""
    found = []
    for line, text in _prose(file) if INVENTED.search(file.read_text("utf-8")) else ():  # few have it even in code
        for each in INVENTED.finditer(text):
            around = " ".join(text[max(0, each.start() - 30) : each.end() + 30].split())
            found.append(f"{file.relative_to(ROOT)}:{line + text.count(chr(10), 0, each.start())}: …{around}…")
    return found


def _files(folder: Path, *endings: str) -> list[Path]:
    return sorted(each for each in folder.rglob("*") if each.suffix in endings)


PLACES = {
    "packaged games": _files(ENGINE / "game" / "rulesets", ".yaml", ".txt"),
    "engine": [*_files(ENGINE, ".py", ".star"), *_files(ENGINE / "cli", ".yaml")],
    "pages": [*_files(ROOT / "site_src", ".md"), *_files(ROOT / "engine" / "docs", ".md"), *sorted(ROOT.glob("*.md"))],
    "scenarios": _files(ROOT / "tests" / "scenarios", ".yaml"),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_person_is_they(place: str) -> None:
    words = ENGINE / "game" / "rulesets" / "b-nomic" / "lists" / "english.txt"  # of a dictionary
    files = [each for each in PLACES[place] if each not in (NAMED, words)]
    assert files
    found = [said for each in files for said in invented(each)]
    assert not found, "\n".join(found[:40])


def test_the_one_rule_that_names_them_uses_none() -> None:
    said = invented(NAMED)
    assert len(said) == 1
    assert "proper use of Spivak pronouns" in said[0]


def test_no_scenario_is_called_by_them() -> None:
    named = re.compile(r"(?:^|-)(?:e|em|eirs?|emself|themself)(?:-|$)")
    assert not [each.name for each in PLACES["scenarios"] if named.search(each.stem)]
