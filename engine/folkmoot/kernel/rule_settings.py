"""Settings of rules, as switches of readings: the present value of each, and choosing another of its alternatives."""

from __future__ import annotations

from typing import Any

from folkmoot.core.keys import GAME
from folkmoot.core.rule_blocks import SettingSpec
from folkmoot.core.values import in_a_row, told
from folkmoot.kernel.authority import check_change
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.play import Play
from folkmoot.language.host_functions import host


def find_setting(play: Play, name: str) -> tuple[str, SettingSpec] | None:
    """Return (id, declaration) of a switch by its id or its plain name."""
    found = play.law.switches(play.view).get(name)
    return found if found is not None or play.view is None else play.law.switches().get(name)


@host("reading", "setting(name: setting) -> plain", law=True)
def setting(play: Play, name: str) -> Any:
    """The present value of a switch, by its id or its plain name; `put("settings", name, value)` sets it.

    Example:
        if setting("T-Q1") == "loud":
            announce("HELLO")
    """
    found = find_setting(play, name) or play.law.former_switch(name)
    if found is None:
        raise Fault(f"no rule in force declares a setting {told(name)}", "E-NO-SUCH")
    return play.documents[GAME]["settings"].get(found[0], found[1]["default"])


def choose_setting(play: Play, name: str, value: Any) -> tuple[str, str]:
    """Return the id of a switch and the word of an alternative; raises Refusal where there is no such thing."""
    found = find_setting(play, name)
    if found is None:
        raise Refusal("E-NO-SUCH", f"no rule in force declares a setting {told(name)}", play.cite())
    identifier, declared = found
    value = str(value).lower() if isinstance(value, bool) else str(value)
    if declared.get("alternatives") and value not in declared["alternatives"]:
        choices = in_a_row(declared["alternatives"], what=f"more (`moot explain setting {name}`)")
        raise Refusal("E-ARGS", f"{name} can be {choices}, not {told(value)}", play.cite())
    return identifier, value


def put_setting(play: Play, name: str, value: Any) -> None:
    """Flip a switch to one of its alternatives."""
    identifier, value = choose_setting(play, name, value)
    known = play.law.declared("settings", play.view)
    declared = known[identifier] if identifier in known else play.law.declared("settings")[identifier]
    settings = play.documents[GAME]["settings"]
    before = setting(play, identifier)
    if before != value:
        check_change(play, {"kind": "setting", "rule": declared[0], "to": value}, identifier)
        play.documents.assign(GAME, settings, identifier, value)
        play.law.forget()
        play.effect("setting", name=identifier, **{"from": before, "to": value})
        plain = declared[1].get("name") or identifier
        play.emit("setting_changed", {"setting": identifier, "name": plain, "before": before, "after": value})
