"""A ruleset's own names of the engine's codes, which scenarios claim."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.cli.check import run
from folkmoot.sandbox.client import Sandbox

HEAD = "ruleset: chairs\ntitle: Chairs\npeople: [{id: ann, surname: A}, {id: bob, surname: B}]\ncodes: {E-NOT-CHAIR: E-NOT-OFFICE}\n"
RULE = """rule: "1"
title: The chair
text: The chair nods.
defines: {offices: {chair: {}}}
actions: {nod: {as: chair, summary: Nod}}
script: |
  def do_nod(a):
      pass
"""


@pytest.mark.parametrize(
    ("code", "holds"), [("E-NOT-CHAIR", True), ("E-NOT-OFFICE", True), ("E-NOT-HEARD", False), ("E-FUNDS", False)]
)
def test_a_scenario_claims_either_name(tmp_path: Path, code: str, holds: bool) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "ruleset.yaml").write_text(HEAD)
    (tmp_path / "rules" / "1.yaml").write_text(RULE)
    file = tmp_path / "nod.yaml"
    file.write_text(
        f"scenario: nobody else nods\nruleset: chairs\nsteps:\n- {{by: ann, do: nod, refused: {code}}}\n"
        f"- {{expect: [{{refusal: {code}, times: 1}}]}}\n"
    )
    with Sandbox() as sandbox:
        assert (not run(sandbox, file).problems) == holds
