"""What git can carry and people should not: each is refused, says so, is run by nobody, and the others play on."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path

import pygit2
import pytest
from pygit2.enums import ObjectType

from folkmoot.referee.content import MOST_COMMITS, read_content
from tests.support.abuse import unchanged
from tests.support.forest import Forest, game, with_files
from tests.support.meeting import GAME, PLAYERS, rule
from tests.support.quick import QuickMeeting
from tests.support.round_table import RoundTable
from tests.support.timing import Spent

HERE = f"state/{GAME}"
RULES = f"{HERE}/rules"
Rows = Iterable[tuple[bytes, bytes, pygit2.Oid]]


def raw_tree(repo: pygit2.Repository, rows: Rows) -> pygit2.Oid:
    """Write a tree as it is given: in any order, with any name and mode, twice if need be."""
    data = b"".join(mode + b" " + name + b"\0" + id_.raw for mode, name, id_ in rows)
    return repo.odb.write(ObjectType.TREE, data)


def rows_of(tree: pygit2.Tree) -> list[tuple[bytes, bytes, pygit2.Oid]]:
    return [(f"{int(each.filemode):o}".encode(), (each.name or "").encode(), each.id) for each in tree]


def with_rows(meeting: QuickMeeting, folder: str, more: Rows) -> str:
    """Return a commit of ann's in which a folder has further rows, whatever they are."""
    repo = meeting.repo
    trees = [repo[meeting.tip()].peel(pygit2.Tree)]
    names = folder.split("/") if folder else []
    for name in names:
        trees.append(trees[-1][name])  # type: ignore[arg-type]
    made = raw_tree(repo, [*rows_of(trees.pop()), *more])
    for tree, name in zip(reversed(trees), reversed(names), strict=True):
        made = raw_tree(repo, [(m, n, made if n == name.encode() else i) for m, n, i in rows_of(tree)])
    who = meeting.signature("ann")
    return str(repo.create_commit(None, who, who, "Odd", made, [meeting.tip()]))


def refused_while_others_play(meeting: QuickMeeting, pull: int) -> str:
    """Run the referee; the pull request is answered and changes nothing, and an honest one gets its proposal."""
    honest = meeting.propose("bob", "Honest")
    meeting.referee(60)
    assert (meeting.proposal(301)["author"], meeting.proposal(301)["via"]["pull"]) == ("bob", honest)
    said = meeting.said(pull)
    assert said, "its author is told nothing"
    assert "is **open**" not in said
    return said


NAMES = {
    "a line end": b"a\n@dee.yaml",
    "our mark": b"<!-- folkmoot:end -->.yaml",
    "an escape": b"a\x1b[31m.yaml",
    "no UTF-8": b"\xff\xfe.yaml",
    "a lone surrogate": b"\xed\xa0\x80.yaml",
    "upwards": b"..",
    "here": b".",
    "git's folder": b".git",
    "git's folder in capitals": b".GIT",
    "git's short name": b"git~1",
    "git's folder with a joiner": ".g\u200cit".encode(),
    "a slash": b"a/../../b.yaml",
    "a backslash": b"..\\x.yaml",
    "an override": "gn\u202elmay.yaml".encode(),
    "zero width": "x\u200b.yaml".encode(),
    "a long name": b"x" * 5_000 + b".yaml",
    "a device": b"aux.yaml",
    "a Turkish i": "l\u0131st.yaml".encode(),
    "a stream": b"x.yaml::$DATA",
    "a colon": b"C:x.yaml",
    "nothing": b"",
    "an option": b"--upload-pack=x.yaml",
}


@pytest.mark.threat("T-10")
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.sampled(4)
def test_a_name_that_leads_astray(quick: QuickMeeting, name: str, times: int) -> None:
    """Once, and twice in one folder."""
    blob = quick.repo.create_blob(rule("A dragon"))
    pull = quick.pull(with_rows(quick, RULES, [(b"100644", NAMES[name], blob)] * times))
    said = refused_while_others_play(quick, pull)
    assert "This cannot be taken" in said
    assert all(c.isprintable() or c == "\n" for c in said)
    assert "\n@dee" not in said


TWINS = {
    "capitals": ("Dragon.yaml", "dragon.yaml"),
    "composed and not": ("caf\u00e9.yaml", "cafe\u0301.yaml"),
    "wide letters": ("\uff41.yaml", "a.yaml"),
    "a ligature": ("\ufb01x.yaml", "fix.yaml"),
    "a Turkish capital": ("\u0130.yaml", "i\u0307.yaml"),
    "sharp s": ("stra\u00dfe.yaml", "strasse.yaml"),
    "Kelvin": ("\u212a.yaml", "k.yaml"),
}


@pytest.mark.threat("T-10")
@pytest.mark.parametrize("twins", TWINS)
def test_two_names_that_are_one_somewhere(quick: QuickMeeting, twins: str) -> None:
    blob = quick.repo.create_blob(rule("A dragon"))
    rows = sorted((b"100644", name.encode(), blob) for name in TWINS[twins])
    assert "This cannot be taken" in refused_while_others_play(quick, quick.pull(with_rows(quick, RULES, rows)))


@pytest.mark.threat("T-09")
@pytest.mark.parametrize(
    "mode", [b"100755", b"120000", b"160000", b"100664", b"40755", b"0100644", b"777", b"x", b"-1", b""]
)
def test_an_odd_mode(quick: QuickMeeting, mode: bytes) -> None:
    blob = quick.repo.create_blob(rule("A dragon"))
    said = refused_while_others_play(quick, quick.pull(with_rows(quick, RULES, [(mode, b"x.yaml", blob)])))
    assert "This cannot be taken" in said


@pytest.mark.threat("T-07")
def test_rows_in_no_order_are_no_other_content(quick: QuickMeeting) -> None:
    """A tree that is not sorted is read as what it holds, and taken in only by what the engine writes anew."""
    tree = quick.repo[quick.tip()].peel(pygit2.Tree)[HERE]["rules"]  # type: ignore[index]
    rows = [*reversed(rows_of(tree)), (b"100644", b"dragon.yaml", quick.repo.create_blob(rule("A dragon")))]  # type: ignore[arg-type]
    again = raw_tree(quick.repo, sorted(rows, key=lambda row: row[2].raw))
    root = quick.repo[quick.tip()].peel(pygit2.Tree)
    made = raw_tree(quick.repo, [(m, n, again if n == b"rules" else i) for m, n, i in rows_of(root["state"][GAME])])  # type: ignore[index,arg-type]
    for folder, name in ((root["state"], GAME), (root, "state")):
        made = raw_tree(quick.repo, [(m, n, made if n == name.encode() else i) for m, n, i in rows_of(folder)])  # type: ignore[arg-type]
    who = quick.signature("ann")
    pull = quick.pull(str(quick.repo.create_commit(None, who, who, "Odd", made, [quick.tip()])))
    quick.referee()
    for voter in PLAYERS:
        quick.say(voter, pull, "/vote for")
    quick.referee(60)
    assert quick.proposal(301)["outcome"] == "adopted"
    assert quick.sound()
    made = quick.repo[quick.tip()].peel(pygit2.Tree)[HERE]["rules"]  # type: ignore[index]
    assert quick.repo.TreeBuilder(made).write() == made.id  # type: ignore[arg-type]


FILES = {
    "an LFS pointer": (
        f"{RULES}/x.yaml",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 9\n",
    ),
    "attributes beside the rules": (f"{RULES}/.gitattributes", b"* filter=evil working-tree-encoding=UTF-16\n"),
    "attributes of the repository": (".gitattributes", b"* filter=evil diff=evil merge=ours export-ignore\n"),
    "submodules": (".gitmodules", b'[submodule "x"]\n\tpath = state\n\turl = ext::sh -c "touch /tmp/x"\n'),
    "a map of names": (".mailmap", b"Ann <ann@x.org> <eve@x.org>\n"),
    "LFS settings": (".lfsconfig", b"[lfs]\n\turl = https://evil.example\n"),
    "a configuration": (".git/config", b"[core]\n\tfsmonitor = touch x\n"),
    "a journal entry": (f"{HERE}/journal/000/000009.yaml", b"seq: 9\ndo: award\n"),
    "the head": (f"{HERE}/head.yaml", b"seq: 900\n"),
    "the roster": (f"{HERE}/roster.yaml", b"eve: {}\n"),
    "the settings": (f"{HERE}/game.yaml", b"administrators: [eve]\n"),
    "the list of facts": (f"{HERE}/pulls/local/000/1.yaml", b"facts: {}\n"),
    "another game": ("state/other/head.yaml", b"seq: 1\n"),
    "a workflow": (".github/workflows/referee.yml", b"on: pull_request_target\n"),
    "a workflow of Forgejo's": (".forgejo/workflows/referee.yml", b"on: push\n"),
    "owners": ("CODEOWNERS", b"* @eve\n"),
    "the pin": ("ci/engine.lock", b"folkmoot==6.6.6\n"),
    "a wheel": ("ci/wheels/folkmoot-6.6.6-py3-none-any.whl", b"PK"),
    "the site's configuration": ("mkdocs.yml", b'hooks: ["evil.py"]\n'),
    "the engine": ("engine/__init__.py", b"raise SystemExit\n"),
    "a requirement": ("requirements.lock", b"evil==1\n"),
}


@pytest.mark.threat("T-05")
@pytest.mark.parametrize("what", FILES)
@pytest.mark.sampled(2)
def test_nothing_travels_with_a_rule(quick: QuickMeeting, what: str) -> None:
    path, data = FILES[what]
    if path.startswith(".git/"):
        inner = raw_tree(quick.repo, [(b"100644", b"config", quick.repo.create_blob(data))])
        outer = quick.change("ann", {f"{RULES}/dragon.yaml": rule("A dragon")})
        root = quick.repo[outer].peel(pygit2.Tree)
        who = quick.signature("ann")
        made = raw_tree(quick.repo, [(b"40000", b".git", inner), *rows_of(root)])
        commit = str(quick.repo.create_commit(None, who, who, "Odd", made, [quick.tip()]))
    else:
        commit = quick.change("ann", {path: data, f"{RULES}/dragon.yaml": rule("A dragon")})
    said = refused_while_others_play(quick, quick.pull(commit))
    assert "This cannot be taken" in said
    assert path.rpartition("/")[2][:20] in said


CANARIES = (
    "conftest.py",
    "sitecustomize.py",
    "usercustomize.py",
    "setup.py",
    "engine/__init__.py",
    "evil.py",
    "tests/conftest.py",
)


@pytest.mark.threat("T-06")
@pytest.mark.parametrize("mixed", [False, True])
def test_no_file_of_a_pull_request_is_run(
    table: RoundTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mixed: bool
) -> None:
    """Canaries in every place from which some program would start code of its own; the referee runs in a clone's folder."""
    trace = tmp_path / "trace"
    code = f"open({str(trace)!r}, 'a').write(__file__)\n".encode()
    files = dict.fromkeys(CANARIES, code) | {
        "mkdocs.yml": b'hooks: ["evil.py"]\n',
        "pyproject.toml": b'[build-system]\nbuild-backend = "evil"\nbackend-path = ["."]\n[tool.pytest]\n',
        ".gitattributes": b"* filter=evil\n",
        ".github/workflows/x.yml": f"on: pull_request\njobs: {{a: {{steps: [{{run: touch {trace}}}]}}}}\n".encode(),
        ".envrc": f"touch {trace}\n".encode(),
        "Makefile": f"all:\n\ttouch {trace}\n".encode(),
    }
    more = {f"{RULES}/dragon.yaml": rule("A dragon")} if mixed else {}
    pull = table.pull(table.change("ann", {**files, **more}))
    table.say("dee", pull, "", "approve")
    monkeypatch.chdir(table.referee_folder)
    with unchanged(table):
        table.referee()
    assert not trace.exists()
    found = {name for _, _, names in os.walk(table.referee_folder) for name in names}
    assert not found & {Path(name).name for name in files}
    assert table.github.pulls[pull]["state"] == "open"


@pytest.mark.threat("T-06")
def test_an_engine_s_change_needs_the_maintainers(table: RoundTable) -> None:
    """Of no game: the check stays pending until a maintainer other than its author approves exactly this content."""
    first = table.change("bob", {"engine/x.py": b"x = 1\n"})
    pull = table.pull(first, "bob", "Faster")
    for who in ("bob", "cid", "eve"):
        table.say(who, pull, "", "approve")
    table.referee()
    said = table.said(pull)
    assert "approved by" not in said
    table.say("ann", pull, "", "approve")
    table.referee()
    assert "approved by ann" in table.said(pull)
    table.github.push(pull, table.change("bob", {"engine/x.py": b"import os\n"}, base=first))
    table.referee()
    assert "approved by ann, a maintainer" not in table.said(pull)
    assert table.github.pulls[pull]["state"] == "open"


# -- where a branch comes from


@pytest.mark.threat("T-11")
@pytest.mark.parametrize(
    "way", ["no ancestor", "crossed", "octopus", "the branch itself", "an old commit", "a blob", "a tree", "a tag"]
)
def test_a_branch_from_nowhere(quick: QuickMeeting, way: str) -> None:
    repo, main = quick.repo, quick.tip()
    who = quick.signature("ann")
    changed = repo[quick.change("ann", {f"{RULES}/dragon.yaml": rule("A dragon")})].peel(pygit2.Tree).id

    def made(parents: list[str], tree: pygit2.Oid = changed) -> str:
        return str(repo.create_commit(None, who, who, "Odd", tree, parents))

    own_main = repo[main].peel(pygit2.Tree).id
    heads = {
        "no ancestor": lambda: made([]),
        "crossed": lambda: made([main, made([])]),
        "octopus": lambda: made([main, *(made([main], own_main if n % 2 else changed) for n in range(40))]),
        "the branch itself": lambda: main,
        "an old commit": lambda: str(repo[main].parent_ids[0]) if repo[main].parent_ids else main,  # type: ignore[union-attr]
        "a blob": lambda: str(repo.create_blob(b"x")),
        "a tree": lambda: str(changed),
        "a tag": lambda: str(repo.create_tag("odd", repo[main].id, ObjectType.COMMIT, who, "x")),
    }
    head = heads[way]()
    with unchanged(quick) if way not in ("octopus", "crossed") else nullcontext():
        quick.put("refs/pull/1/head", head)
        quick.referee()
    honest = quick.propose("bob", "Honest")
    quick.referee(60)
    assert "Honest" in quick.said(honest)
    assert quick.sound()


@pytest.mark.threat("T-11")
def test_replacements_and_grafts_show_nothing_else(quick: QuickMeeting) -> None:
    """Who pushes `refs/replace/…` to a shared repository changes neither what is voted on nor what is taken in."""
    pull = quick.propose("ann", "A dragon")
    evil = quick.change("ann", {f"{RULES}/dragon.yaml": rule("A dictatorship")})
    quick.put(f"refs/replace/{quick.head(pull)}", evil)
    quick.put(f"refs/replace/{quick.tip()}", evil)
    quick.referee()
    assert "A dictatorship" not in quick.said(pull)
    for voter in PLAYERS:
        quick.say(voter, pull, "/vote for")
    quick.referee(60)
    assert quick.document("rules/301")["title"] == "A dragon"
    assert quick.sound()


@pytest.mark.threat("T-11")
def test_git_is_told_to_see_no_replacements() -> None:
    from folkmoot.forges.git_transport import closed_environment

    assert closed_environment()["GIT_NO_REPLACE_OBJECTS"] == "1"


# -- too much of it


@pytest.fixture
def forest(tmp_path: Path) -> Forest:
    return Forest(tmp_path / "forest.git")


def units_to_refuse(forest: Forest, base: str, head: str) -> float:
    with Spent() as spent:
        content = read_content(forest.repo, base, head)
    assert content.problems
    assert not content.games
    assert "no commit in common" not in content.problems[0].message, "it is to be refused for what it holds"
    return spent.units


@pytest.mark.threat("T-29")
@pytest.mark.parametrize("where", ["", "state/", "state/toy/", "state/toy/rules/", "state/toy/inbox/"])
def test_a_hundred_thousand_files_are_refused_at_once(forest: Forest, where: str) -> None:
    base = forest.commit(game())
    files = with_files(game(), {"state/toy/rules/x.yaml": "title: X\n", f"{where}one": "x"})
    inner = files
    for name in where.encode().split(b"/")[:-1]:
        inner = inner[name]
    blob = forest.repo.create_blob(b"x")
    inner |= {b"%06d.yaml" % number: (b"100644", blob) for number in range(100_000)}
    assert units_to_refuse(forest, base, forest.commit(files, base)) < 500  # of some 30


@pytest.mark.threat("T-27")
def test_a_file_of_three_hundred_megabytes_is_known_by_its_header(forest: Forest) -> None:
    """It is stored deflated, so the test is quick; whoever read it would take the memory."""
    base = forest.commit(game())
    large = forest.repo.create_blob(b"\0" * 300_000_000)
    head = forest.commit(with_files(game(), {"state/toy/rules/x.yaml": (b"100644", large)}), base)
    assert units_to_refuse(forest, base, head) < 50


@pytest.mark.threat("T-28")
def test_twenty_thousand_commits_are_refused_at_once(forest: Forest) -> None:
    base = forest.commit(game())
    tree = forest.tree(with_files(game(), {"state/toy/rules/x.yaml": "title: X\n"}))
    head, stream = base, []
    stream = [f"commit refs/heads/deep\nmark :1\ncommitter A <a@x> 1 +0000\ndata 0\nfrom {base}\nM 040000 {tree} \n\n"]
    stream += [
        f"commit refs/heads/deep\nmark :{n}\ncommitter A <a@x> {n} +0000\ndata 0\nfrom :{n - 1}\n\n"
        for n in range(2, 20_001)
    ]
    import subprocess

    subprocess.run(
        ["git", "-C", forest.repo.path, "fast-import", "--quiet"], input="".join(stream).encode(), check=True
    )
    head = str(forest.repo.references["refs/heads/deep"].target)
    assert units_to_refuse(forest, base, head) < 300


@pytest.mark.threat("T-28")
@pytest.mark.parametrize("shape", ["one octopus", "a ladder"])
def test_thousands_of_merges_are_refused_at_once(forest: Forest, shape: str) -> None:
    """Each commit of the branch leaves the game's at another place: to compare them all would take hours."""
    commits = [forest.commit(game())]
    for number in range(MOST_COMMITS):
        commits.append(forest.commit(game(), commits[-1], at=number))
    tree = forest.tree(with_files(game(), {"state/toy/rules/x.yaml": "title: X\n"}))
    if shape == "one octopus":
        head = forest.commit(tree, *commits)
    else:
        head = forest.commit(tree, commits[0])
        for parent in commits[1 : MOST_COMMITS - 1]:
            head = forest.commit(tree, head, parent)
    with Spent() as spent:
        read_content(forest.repo, commits[-1], head)
    assert spent.units < 300


@pytest.mark.threat("T-29")
@pytest.mark.parametrize("where", ["", "state/", "state/toy/rules/", "other/"])
def test_two_thousand_folders_deep(forest: Forest, where: str) -> None:
    base = forest.commit(game())
    deep: pygit2.Oid = forest.repo.create_blob(b"x")
    mode = b"100644"
    for _ in range(2_000):
        deep, mode = raw_tree(forest.repo, [(mode, b"a", deep)]), b"40000"
    files = with_files(game(), {"state/toy/rules/x.yaml": "title: X\n", f"{where}a": (b"40000", deep)})
    assert units_to_refuse(forest, base, forest.commit(files, base)) < 100


BOMBS = {
    "aliases": b"a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\ntitle: *c\n",
    "brackets": b"title: " + b"[" * 190_000,
    "maps": b"{a: " * 40_000,
    "dashes": b"- " * 90_000,
    "keys": b"".join(b"k%d: 1\n" % n for n in range(18_000)),
    "labels": b"labels: {" + b", ".join(b"a%d: b" % n for n in range(18_000)) + b"}\n",
    "items": b"text: [" + b"1," * 95_000 + b"]\n",
    "a tag": b"title: !!python/object/apply:os.system ['touch x']\n",
    "a merge": b"<<: {title: X}\n",
    "documents": b"---\n" * 45_000,
    "a large script": b"scirpt: |\n" + b"  x = 1\n" * 24_000,
    "a deep script": b"scirpt: |\n  x = " + b"(" * 100_000 + b"\n",
    "twenty megabytes": b"title: X\nscript: |\n  # " + b"x" * 20_000_000 + b"\n",
    "no UTF-8": b"title: \xff\xfe\n",
    "NUL": b"title: a\0b\n",
    "UTF-16": "title: X\n".encode("utf-16"),
}


@pytest.mark.threat("T-29")
@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.sampled(2)
def test_a_file_that_is_a_bomb(quick: QuickMeeting, bomb: str) -> None:
    pull = quick.open("ann", {"rules/bomb.yaml": BOMBS[bomb]})
    with Spent() as spent:
        assert "This cannot be taken" in refused_while_others_play(quick, pull)
    assert spent.units < 3000


@pytest.mark.threat("T-29")
def test_files_of_many_small_keys_cost_next_to_nothing(forest: Forest) -> None:
    """Each is read to its 1,500th key, and no further than 10,000 of all of them: it is so in every run anew."""
    base = forest.commit(game())
    keys = {f"state/toy/rules/a{n}.yaml": BOMBS["keys"].decode() for n in range(5)}
    with Spent() as spent:
        content = read_content(forest.repo, base, forest.commit(with_files(game(), keys), base))
    assert spent.units < 200
    assert [str(problem.position) for problem in content.problems] == [f"{file}:750:7" for file in keys]
    assert "more than 1,500 keys, values and items" in content.problems[0].message
    small = {f"state/toy/rules/a{n:03}.yaml": "text: [" + "1," * 2_400 + "]\n" for n in range(200)}
    with Spent() as spent:
        content = read_content(forest.repo, base, forest.commit(with_files(game(), small), base))
    assert spent.units < 200
    assert len(content.problems) == 7
    assert "the files together have more than 10,000 keys" in content.problems[-1].message


@pytest.mark.threat("T-29")
def test_sound_files_are_too_many_together_as_well(forest: Forest) -> None:
    base = forest.commit(game())
    labels = ", ".join(f"a{n}: b" for n in range(700))
    many = {f"state/toy/rules/a{n}.yaml": f"title: T{n}\nlabels: {{{labels}}}\n" for n in range(8)}
    content = read_content(forest.repo, base, forest.commit(with_files(game(), many), base))
    assert [(p.code, str(p.position).rpartition("/")[2].split(":")[0]) for p in content.problems] == [
        ("E-SIZE", "a7.yaml")
    ]
    many.popitem()
    assert not read_content(forest.repo, base, forest.commit(with_files(game(), many), base)).problems
