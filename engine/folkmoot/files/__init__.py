"""Strict positioned reading and canonical writing of every file that people or the engine write.

The names below load what they need when they are first used, so that a command that reads no person's file does not
pay for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from folkmoot.files.canonical import write_yaml

if TYPE_CHECKING:
    from folkmoot.files.changes import change_digest, changes_between, written_anew
    from folkmoot.files.fast_reader import load_yaml
    from folkmoot.files.read_text import read_file
    from folkmoot.files.reader import (
        locate,
        read_action,
        read_rule,
        read_ruleset,
        read_scenario,
        read_settings,
        rule_of,
        script_position,
    )
    from folkmoot.files.rewrite import render_rule
    from folkmoot.files.schema import json_schema

_HOMES = {
    "changes": ("change_digest", "changes_between", "written_anew"),
    "fast_reader": ("load_yaml",),
    "read_text": ("read_file",),
    "reader": (
        "locate", "read_action", "read_rule", "read_ruleset", "read_scenario", "read_settings",
        "rule_of", "script_position",
    ),
    "rewrite": ("render_rule",),
    "schema": ("json_schema",),
}  # fmt: skip

__all__ = [
    "change_digest",
    "changes_between",
    "json_schema",
    "load_yaml",
    "locate",
    "read_action",
    "read_file",
    "read_rule",
    "read_ruleset",
    "read_scenario",
    "read_settings",
    "render_rule",
    "rule_of",
    "script_position",
    "write_yaml",
    "written_anew",
]


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"folkmoot.files.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
