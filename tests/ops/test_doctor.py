"""Real forges, 8 and parts of 9: on real servers the doctor could never end with 0, and settled the same thing again."""

from __future__ import annotations

from pathlib import Path

import pygit2
import pytest
from msgspec.structs import replace

from folkmoot.core.problems import ProblemError
from folkmoot.ops.doctor.examination import steps
from folkmoot.ops.doctor.findings import gravest
from tests.forges.gitea.emulator import FORGEJO, FORGEJO_1_21, GITEA, GITEA_1_15, GITEA_1_22
from tests.support.gitea_settings import asking, found, place, served, wrong

ALL = {
    "gitea": GITEA,
    "gitea-1.22": GITEA_1_22,
    "gitea-1.15": GITEA_1_15,
    "forgejo": FORGEJO,
    "forgejo-1.21": FORGEJO_1_21,
}


@pytest.mark.parametrize("name", sorted(ALL))
def test_the_doctor_ends_with_0_on_every_server(tmp_path: Path, name: str) -> None:
    server = served(tmp_path, ALL[name])
    server.collaborators.append("the-referee")  # as the guide demands
    findings = found(server)
    assert gravest(findings) in ("ok", "warning"), wrong(findings)
    old = {"gitea-1.15": {"version", "actions"}, "gitea-1.22": {"job-rights"}, "forgejo-1.21": {"version"}}
    assert wrong(findings).keys() <= old.get(name, set())
    told = {finding.code: finding.sentence for finding in findings}
    if ALL[name].jobs is not True:
        assert "cannot be asked for" in told["unasked"]
    assert ALL[name].tells or "does not tell" in told["merging"]


@pytest.mark.parametrize("name", sorted(ALL))
def test_what_was_done_is_not_done_again(tmp_path: Path, name: str) -> None:
    server = served(tmp_path, ALL[name], bare=True)
    here = replace(place(), repo=pygit2.init_repository(str(tmp_path / "clone")))
    done = []
    for code, step in steps(asking(server, here)):
        step.do()
        done.append(code)
    assert "merging" in done
    assert all(server.settings.values())
    assert ("actions" in done) == (ALL[name].jobs is not False), "a server without Actions is not asked to have them"
    assert [code for code, _ in steps(asking(server, here))] == []
    other = replace(here, repo=pygit2.init_repository(str(tmp_path / "other")))
    unseen = {"merging", "secret"} if ALL[name].jobs is None else {"merging"}
    assert {code for code, _ in steps(asking(server, other))} <= unseen, "which nobody can see"


def test_forgejo_is_known_by_its_own_address_and_told_so(tmp_path: Path) -> None:
    versions = {name: served(tmp_path / name, each) for name, each in ALL.items()}
    kinds = {name: next(f.sentence for f in found(server) if f.code == "version") for name, server in versions.items()}
    for name, sentence in kinds.items():
        assert sentence.startswith("Forgejo" if name.startswith("forgejo") else "Gitea"), sentence


def test_a_server_that_keeps_actions_off_is_not_said_to_have_them(tmp_path: Path) -> None:
    server = served(tmp_path, GITEA, bare=True)
    real = server._change_repository

    def refuse(query: dict[str, str], body: dict[str, object]) -> object:
        return real(query, {name: value for name, value in body.items() if name != "has_actions"})

    server._change_repository = refuse  # type: ignore[method-assign, assignment]
    (step,) = [step for code, step in steps(asking(server)) if code == "actions"]
    with pytest.raises(ProblemError, match="this server has them switched off"):
        step.do()


def test_two_who_may_write_are_pointed_out_and_the_referees_account_is_not(tmp_path: Path) -> None:
    server = served(tmp_path)
    server.collaborators.append("the-referee")
    assert wrong(found(server)) == {}
    server.collaborators.append("bob")
    assert wrong(found(server)) == {"writers": "warning"}
    server.collaborators.remove("the-referee")
    server.secrets.pop("FOLKMOOT_TOKEN")
    assert wrong(found(server))["writers"] == "warning", "without a token nobody is the referee"
