"""Hostile scripts, and rules made of them."""

from __future__ import annotations

from pathlib import Path

from ruamel.yaml import YAML

from tests.support.bench import Record, striking

CORPUS = sorted((Path(__file__).parent.parent / "hostile").glob("*.yaml"))


def hostile_rule(file: Path) -> Record:
    """Return the rule of a file; `grow: {NAME: text, times: n}` writes a text many times for a name."""
    rule: Record = YAML(typ="safe").load(file.read_text(encoding="utf-8"))
    grow = rule.pop("grow", {})
    times = grow.pop("times", 1)
    for name, text in grow.items():
        rule["script"] = rule["script"].replace(name, text * times)
    return {**striking(""), **rule}
