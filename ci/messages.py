"""Collect the texts of the pages, and bring the translations in step with them.

python ci/messages.py           update `wording/languages/*.po`; what has no translation yet is empty
python ci/messages.py --check   fail where they are not in step, or a translation is missing

What the site's scripts say (`said("…")` in `site_src/assets/*.js`) is written to `site_src/assets/words.json` for them.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.limits import LIMITS
from folkmoot.kernel.act_declarations import BEYOND_RULES, KERNEL_DECLARATIONS, VOTE, vote_declaration
from folkmoot.kernel.failures import WAKING
from folkmoot.site.board import WRAPS
from folkmoot.site.feeds import KINDS
from folkmoot.wording.catalogue import templates
from folkmoot.wording.engine_words import TERMS
from folkmoot.wording.translation import FOLDER

PACKAGE = FOLDER.parent.parent
ASSETS = PACKAGE.parent.parent / "site_src" / "assets"
WORDS = ASSETS / "words.json"
_SAID = re.compile(r"""\bsaid\(\s*("(?:[^"\\]|\\.)*")""", re.ASCII)
CALLS = {"_": 1, "sentence": 1, "counted": 3}
"""The functions that take a text, each with the place behind its last one; `counted` takes a number first."""
Message = str | tuple[str, str]


def messages() -> dict[Message, list[str]]:
    """Return every text (one and many for a count) with where it stands: files of the package, `catalogue.yaml`."""
    found: dict[Message, list[str]] = {}
    for text, place in _all():
        places = found.setdefault(text, [])
        if place not in places:
            places.append(place)
    return found


def _all() -> Iterator[tuple[Message, str]]:
    for path in sorted([*PACKAGE.glob("site/*.py"), *PACKAGE.glob("wording/*.py")]):
        for text in _of_file(path):
            yield text, path.relative_to(PACKAGE).as_posix()
    yield from scripts()
    yield from ((text, "wording/catalogue.yaml") for texts in templates().values() for text in texts if _says(text))
    yield from ((term, "wording/engine_words.py") for term in sorted(TERMS))
    yield from ((about, "site/feeds.py") for about, _wanted in KINDS.values())
    yield WAKING, "kernel/failures.py"
    yield from ((edge, "site/board.py") for edge in WRAPS.values())
    yield from ((text, "core/limits.py") for limit in LIMITS.values() for text in (limit.unit, limit.bounds))
    yield from ((text, "kernel/act_declarations.py") for text in _of_acts())


def scripts() -> Iterator[tuple[str, str]]:
    """Yield what the site's scripts say, each with the script that says it."""
    for path in sorted(ASSETS.glob("*.js")):
        for found in _SAID.finditer(path.read_text("utf-8")):
            yield json.loads(found[1]), f"site_src/assets/{path.name}"


def words() -> str:
    """Return what the site's scripts say in each language but English, as JSON."""
    said = {text for text, _place in scripts()}
    told = {}
    for path in sorted(FOLDER.glob("*.po")):
        with path.open("rb") as file:
            known = read_po(file, locale=path.stem)
        told[path.stem] = {text: found.string for text in sorted(said) if (found := known.get(text)) and found.string}
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def _of_acts() -> Iterator[str]:
    """Return what is said of the acts that every game has, and of their arguments."""
    for name, about in KERNEL_DECLARATIONS.items():
        if name not in BEYOND_RULES:
            known = vote_declaration([PROPOSAL]) if name == VOTE else about
            told = [known, *(spec or {} for spec in (known.get("arguments") or {}).values())]
            yield from (str(each["summary"]) for each in told if each.get("summary"))


def _says(text: str) -> bool:
    """Whether a text has a word, or a quotation mark, outside of its fields and tags."""
    depth = 0
    for character in text:
        depth += character in "{<"
        if not depth and (character.isalpha() or character == "“"):
            return True
        depth -= character in "}>"
    return False


def _of_file(path: Path) -> Iterator[Message]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in CALLS:
            continue
        given = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if node.func.id == "counted" and len(given) == 2:
            yield given[0], given[1]
        elif node.func.id != "counted" and given:
            yield given[0]


def updated(language: str) -> str:
    """Return the translations into a language with the texts of today: gone ones left out, new ones empty."""
    path = FOLDER / f"{language}.po"
    with path.open("rb") as file:
        before = read_po(file, locale=language)
    now = Catalog(locale=language, project="Folkmoot", charset="utf-8", fuzzy=False)
    for text, places in messages().items():
        known = before.get(text)
        now.add(text, known.string if known else None, locations=[(place, None) for place in places])
    out = BytesIO()
    write_po(out, now, omit_header=True, sort_output=True, width=116)
    head = "# The texts of the pages. Made by ci/messages.py; the translations (msgstr) are written by hand.\n"
    return (
        head + 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Language: {language}\\n"\n"Plural-Forms: {now.plural_forms}\\n"\n\n' + out.getvalue().decode()
    )


def missing(language: str) -> list[str]:
    """Return the texts that have no translation into a language."""
    with (FOLDER / f"{language}.po").open("rb") as file:
        known = read_po(file, locale=language)
    return [str(text) for text in messages() if not (found := known.get(text)) or not found.string
            or (isinstance(found.string, tuple) and not all(found.string))]  # fmt: skip


def main() -> int:
    """Write or check the translations into every language."""
    failed = False
    for path in sorted(FOLDER.glob("*.po")):
        text = updated(path.stem)
        if "--check" not in sys.argv[1:]:
            path.write_text(text, "utf-8")
        elif path.read_text("utf-8") != text:
            print(f"{path.name} is not in step with the texts: run python ci/messages.py")
            failed = True
        untold = missing(path.stem)
        for each in untold[:20]:
            print(f"{path.name}: no translation of {each!r}")
        failed = failed or bool(untold)
    if "--check" not in sys.argv[1:]:
        WORDS.write_text(words(), "utf-8")
    elif WORDS.read_text("utf-8") != words():
        print(f"{WORDS.name} is not in step with the translations: run python ci/messages.py")
        failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
