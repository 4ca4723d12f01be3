"""What a pull request must not bring: each gets one clear sentence with its place, and nothing of it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pygit2
import pytest
from pygit2.enums import ObjectType

from folkmoot.forges.git_transport import closed_environment
from folkmoot.referee.content import MOST_COMMITS, Content, read_content
from folkmoot.referee.pull_request_tree import LARGEST_FILE, MOST_FILES
from tests.support.forest import LAW, Files, Forest, game, with_files
from tests.support.meeting import GAME, rule
from tests.support.quick import HERE, QuickMeeting, quick
from tests.support.timing import Spent

__all__ = ["quick"]

DRAGON = "title: Dragon\n"
RULES = "state/toy/rules"


@pytest.fixture
def forest(tmp_path: Path) -> Forest:
    return Forest(tmp_path / "repo.git")


@pytest.fixture
def told(forest: Forest) -> Callable[..., list[str]]:
    """Return the problems of a pull request that brings files, as lines."""

    def tell(added: dict[str, Any], **rules: str | None) -> list[str]:
        main = forest.commit(game())
        content = read_content(forest.repo, main, forest.commit(with_files(game(**rules), added), main))
        assert content.touches_game
        assert not (content.games and content.problems)
        return [str(problem) for problem in content.problems]

    return tell


Rows = Iterable[tuple[bytes, bytes, pygit2.Oid]]


def raw_tree(repo: pygit2.Repository, rows: Rows) -> pygit2.Oid:
    """Write a tree as it is given: in any order, with any name and mode, twice if need be."""
    data = b"".join(mode + b" " + name + b"\0" + id_.raw for mode, name, id_ in rows)
    return repo.odb.write(ObjectType.TREE, data)


def rows_of(tree: pygit2.Tree) -> list[tuple[bytes, bytes, pygit2.Oid]]:
    return [(f"{int(each.filemode):o}".encode(), (each.name or "").encode(), each.id) for each in tree]


def refused(forest: Forest, files: Files) -> str:
    """Return the only problem of a pull request with these files."""
    main = forest.commit(game())
    return problem_of(read_content(forest.repo, main, forest.commit(files, main)))


def problem_of(content: Content) -> str:
    (problem,) = content.problems
    assert (content.games, content.touches_game) == ((), True)
    return str(problem)


MODES: dict[str, tuple[bytes, bytes | pygit2.Oid]] = {
    "link": (b"120000", b"/etc/passwd"),
    "submodule": (b"160000", pygit2.Oid(hex="1" * 40)),
    "executable": (b"100755", DRAGON.encode()),
    "group-writable": (b"100664", DRAGON.encode()),
    "socket": (b"140000", DRAGON.encode()),
    "setuid": (b"104755", DRAGON.encode()),
    "nothing": (b"0", DRAGON.encode()),
}


@pytest.mark.threat("T-09")
@pytest.mark.parametrize("kind", MODES)
def test_only_ordinary_files_and_folders_are_read(told: Callable[..., list[str]], kind: str) -> None:
    mode, said = MODES[kind][0].decode(), "E-MODE: this is no ordinary file, but has the mode"
    folders = ("rules", "inbox") if kind in ("link", "submodule") else ()
    for place in ("rules/x.yaml", "inbox/x.yaml", "rules/203.yaml", *folders):
        (line,) = told({f"state/toy/{place}": MODES[kind]})
        assert line.startswith(f"state/toy/{place}: {said} {mode}")


def test_a_file_and_a_folder_take_not_each_others_place(told: Callable[..., list[str]]) -> None:
    for path in ("state", "state/toy", RULES):
        assert told({path: "text"}) == [f"{path}: E-PATH: here must be a folder (leave it as it was)"]
    (line,) = told({f"{RULES}/203.yaml": {b"x.yaml": DRAGON.encode()}})
    assert line.startswith(f"{RULES}/203.yaml: E-PATH: a file and a folder take each other's place")


NAMES = {
    "not every system can have this name": (
        b"..", b".", b"", b"a..b.yaml", b"../x.yaml", b"..\\x.yaml", b"/etc/passwd.yaml", b"a/b.yaml", b"a\\b.yaml",
        b"C:x.yaml", b"x.yaml:stream", b"x.yaml::$DATA", b"-rf.yaml", b"--upload-pack=x.yaml", b" x.yaml", b"x.yaml ",
        b"x.yaml.", b"a*.yaml", b"<!-- folkmoot:end -->.yaml", b".hidden.yaml", b"a\n@dee.yaml", b"a\x1b[31m.yaml",
        b"CON.yaml", b"aux", b"com1.x.yaml",
        # letters that look like others, or are not seen
        "203\u200b.yaml".encode(), "\u202e203.yaml".encode(), "2\u043e3.yaml".encode(), "Ho\u0308hle.yaml".encode(),
        "l\u0131st.yaml".encode(), b"\xff\xfe.yaml", b"\xed\xa0\x80.yaml",
    ),
    "this name means something to git": (
        b".git", b".GIT", b".git ", b".git.", b"GIT~1", b"gi7eba~1", ".g\u200cit".encode(), "．git".encode(),
        b".gitattributes", b".gitmodules", b".gitignore", b".git::$INDEX_ALLOCATION",
    ),
    "the path is longer than 240 characters": (b"x" * 101 + b".yaml",),
}  # fmt: skip


@pytest.mark.threat("T-10")
@pytest.mark.parametrize("sentence", NAMES)
def test_names_that_lead_astray_are_refused(forest: Forest, sentence: str) -> None:
    main = forest.commit(game())
    for name in NAMES[sentence]:
        for content in (DRAGON.encode(), {b"x.yaml": DRAGON.encode()}):
            files = game()
            files[b"state"][b"toy"][b"rules"][name] = content
            (problem,) = read_content(forest.repo, main, forest.commit(files, main)).problems
            assert (problem.code, sentence in problem.message) == ("E-PATH", True), problem
            assert str(problem).isascii()
            assert str(problem).isprintable()


@pytest.mark.threat("T-10")
def test_names_that_some_system_takes_for_one_and_other_suffixes_are_refused(
    told: Callable[..., list[str]], forest: Forest
) -> None:
    same = "which some systems take for the same name"
    for one, other in (("a.yaml", "A.yaml"), ("sub/x.yaml", "Sub/y.yaml")):
        lines = told({f"{RULES}/{one}": DRAGON, f"{RULES}/{other}": DRAGON})
        assert [same in line for line in lines] == [True, True]
    base = with_files(game(), {f"{RULES}/8-b.yaml": 'rule: "8-b"\nuid: "8-b"\ntitle: X\n'})
    main = forest.commit(base)
    content = read_content(forest.repo, main, forest.commit(with_files(base, {f"{RULES}/8-B.yaml": DRAGON}), main))
    assert problem_of(content).startswith(f"{RULES}/8-B.yaml")
    lines = told({"state/TOY/rules/x.yaml": DRAGON})
    assert any("E-NO-GAME: there is no game `TOY` here" in line for line in lines)
    assert any(f"`toy`, {same}" in line for line in lines)
    assert any(f"`rules`, {same}" in line for line in told({"state/toy/RULES/x.yaml": DRAGON}))
    for name in ("State/toy/rules/x.yaml", "STATE", "state./x"):
        assert any("E-FOREIGN" in line or "E-PATH" in line for line in told({name: DRAGON}))
    for name in ("x.txt", "x.yml", "x.YAML", "x"):
        (line,) = told({f"{RULES}/{name}": DRAGON})
        assert line.startswith(f"{RULES}/{name}: E-PATH: only files of rules and acts belong here")


FOREIGN = {
    "this is no part of a game": (
        "README.md", ".gitattributes", ".gitmodules", ".mailmap", ".lfsconfig", "engine/folkmoot/kernel/play.py",
        ".github/workflows/play.yaml", ".forgejo/workflows/referee.yml", "CODEOWNERS", "ci/engine.lock", "mkdocs.yml",
        "ci/wheels/folkmoot-6.6.6-py3-none-any.whl", "requirements.lock",
    ),
    "only the referee the rest": (
        "state/toy/journal/000/000001.yaml", "state/toy/journal/000/000002.yaml", "state/toy/head.yaml",
        "state/toy/things/player/a.yaml", "state/toy/pulls/000/7.yaml", "state/toy/roster.yaml", "state/toy/game.yaml",
        "state/toy/.gitattributes", "state/toy/notes.txt",
    ),
    "there is no game `new` here": ("state/new/head.yaml",),
    "there is no game `.gitattributes` here": ("state/.gitattributes",),
}  # fmt: skip


@pytest.mark.threat("T-05")
@pytest.mark.parametrize("sentence", FOREIGN)
def test_a_pull_request_that_plays_changes_nothing_else(told: Callable[..., list[str]], sentence: str) -> None:
    for path in FOREIGN[sentence]:
        for mode in (b"100644", b"120000"):
            (line,) = told({path: (mode, b"* filter=evil\n"), f"{RULES}/x.yaml": DRAGON})
            assert f"{path}/".startswith(f"{line.partition(': E-')[0]}/")
            assert sentence in line


def test_taking_the_whole_game_away_is_told_as_what_it_is(told: Callable[..., list[str]]) -> None:
    assert any("E-FOREIGN" in line and "journal" in line for line in told({"state/toy": None}))
    assert any("E-FOREIGN" in line for line in told({"state": None}))


# -- files that are no text of ours

FILES = {
    "pointer": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
        ": E-FORMAT: this is a pointer of",
    ),
    "latin-1": (b"title: X\ntext: \xe4\n", ":2: E-UTF8: the file is not UTF-8 text"),
    "binary": (b"title: X\n\0\0\0", ":2:1: E-CHARACTER"),
    "mark": (b"\xef\xbb\xbftitle: X\n", ":1:1: E-CHARACTER: the character U+FEFF may not stand"),
    "escape": (b"title: \x1b[31mX\n", ":1:8: E-CHARACTER"),
    "laughs": (b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", ":1:4: E-ALIAS"),
    "tag": (b"title: !!python/object:os.system X\n", ":1:8: E-TAG"),
    "deep": (b"labels: " + b"[" * 5000, ":1:28: E-DEPTH"),
    "deep-blocks": (b"".join(b" " * n + b"a:\n" for n in range(300)), ":21:21: E-DEPTH"),
    "twice": (b"title: X\ntitle: Y\n", ":2:1: E-DUPLICATE"),
    "hidden": ("title: X\nscript: |\n  a = 'b\u202ec'\n".encode(), ":2:9: E-CHARACTER"),
    "brackets": (b"title: " + b"[" * 190_000, ":"),
    "items": (b"text: [" + b"1," * 95_000 + b"]\n", ":"),
    "labels": (b"labels: {" + b", ".join(b"a%d: b" % n for n in range(18_000)) + b"}\n", ":"),
    "documents": (b"---\n" * 45_000, ":"),
    "a deep script": (b"scirpt: |\n  x = " + b"(" * 100_000 + b"\n", ":"),
    "too large": (b"#" * (LARGEST_FILE + 1), ": E-SIZE: the file has 200,001 bytes; at most 200,000 are read"),
}


@pytest.mark.threat("T-27", "T-29")
@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_is_no_text_of_ours_is_refused_with_its_place(told: Callable[..., list[str]], kind: str) -> None:
    content, said = FILES[kind]
    with Spent() as spent:
        assert told({f"{RULES}/x.yaml": content})[0].startswith(f"{RULES}/x.yaml{said}")
    assert spent.units < 500


# -- too much of it


def test_more_files_than_anybody_reads_are_refused_with_one_sentence(told: Callable[..., list[str]]) -> None:
    many = {f"{RULES}/{n // 100}/{n}.yaml": DRAGON for n in range(MOST_FILES + 1)}
    assert told(many) == [
        "E-SIZE: this changes more than 200 files of games; no more are read (make several pull requests of it)"
    ]
    assert told(dict(list(many.items())[:MOST_FILES])) == []
    (line,) = told({f"{RULES}/{n}.yaml": DRAGON for n in range(4_000)})
    assert line.startswith("E-SIZE: 4,000 files differ in state/toy/rules; at most 200 are read")


@pytest.mark.threat("T-29")
def test_a_folder_of_a_million_files_is_not_even_listed(forest: Forest) -> None:
    blob = forest.repo.create_blob(DRAGON.encode())
    tree = raw_tree(forest.repo, ((b"100644", b"%07d.yaml" % n, blob) for n in range(150_000)))
    for folder in (b"toy", b"rules"):
        files = game()
        (files[b"state"] if folder == b"toy" else files[b"state"][b"toy"])[folder] = (b"40000", tree)
        with Spent() as spent:
            assert "E-GIT: state/toy" in (line := refused(forest, files))
        assert " has a listing of" in line
        assert spent.units < 100


def test_files_that_are_too_large_alone_or_together_are_refused_unread(
    told: Callable[..., list[str]], forest: Forest
) -> None:
    (line,) = told({f"{RULES}/{n}.yaml": b"#" * 180_000 for n in range(6)})
    assert line.startswith("E-SIZE: the files that this changes have more than 1,000,000 bytes together")
    large = forest.repo.create_blob(b"\0" * 90_000_000)  # whoever read it would take the memory and the time
    with Spent() as spent:
        assert "E-SIZE" in refused(forest, with_files(game(), {f"{RULES}/x.yaml": (b"100644", large)}))
    assert spent.units < 20


def test_a_tree_without_end_is_left_at_its_fifth_folder(forest: Forest) -> None:
    deep = forest.tree({b"x.yaml": DRAGON.encode()})
    for _ in range(3_000):
        deep = raw_tree(forest.repo, [(b"40000", b"d", deep)])
    with Spent() as spent:
        line = refused(forest, with_files(game(), {f"{RULES}/d": (b"40000", deep)}))
        assert line.startswith(f"{RULES}/d/d/d/d/d: E-PATH: folders lie more than 4 deep here")
        for place in ("elsewhere", "state/elsewhere"):
            refused(forest, with_files(game(), {place: (b"40000", deep), f"{RULES}/x.yaml": DRAGON}))
    assert spent.units < 100


@pytest.mark.threat("T-28")
@pytest.mark.parametrize("shape", ["a line", "one octopus", "a ladder"])
def test_a_branch_of_thousands_of_commits_is_refused_at_once(forest: Forest, shape: str) -> None:
    """Of merges each leaves the game's branch at another place: to compare them all would take hours."""
    commits = [forest.commit(game())]
    for number in range(MOST_COMMITS):
        commits.append(forest.commit(game(), commits[-1], at=number))
    tree = forest.tree(with_files(game(), {f"{RULES}/x.yaml": DRAGON}))
    if shape == "a line":
        main, head = commits[0], forest.commit(tree, commits[-1])
    elif shape == "one octopus":
        main, head = commits[-1], forest.commit(tree, *commits)
    else:
        main, head = commits[-1], forest.commit(tree, commits[0])
        for parent in commits[1 : MOST_COMMITS - 1]:
            head = forest.commit(tree, head, parent)
    with Spent() as spent:
        content = read_content(forest.repo, main, head)
    assert spent.units < 300
    assert shape != "a line" or "more than 1,000 commits of its own" in problem_of(content)


def test_many_small_keys_are_read_to_a_bounded_number_in_one_file_and_together(forest: Forest) -> None:
    """Each file is read to its 1,500th key, and all of them no further than to 10,000: it is so in every run anew."""

    def problems(files: dict[str, str]) -> list[str]:
        base = forest.commit(game())
        with Spent() as spent:
            found = read_content(forest.repo, base, forest.commit(with_files(game(), files), base)).problems
        assert spent.units < 200
        return [str(problem) for problem in found]

    keys = {f"{RULES}/a{n}.yaml": "".join(f"k{n}: 1\n" for n in range(4_000)) for n in range(3)}
    lines = problems(keys)
    assert [line.partition(" ")[0] for line in lines] == [f"{file}:750:7:" for file in keys]
    assert "more than 1,500 keys, values and items" in lines[0]
    lines = problems({f"{RULES}/a{n:03}.yaml": "text: [" + "1," * 2_400 + "]\n" for n in range(30)})
    assert len(lines) == 7
    assert "the files together have more than 10,000 keys" in lines[-1]
    labels = ", ".join(f"a{n}: b" for n in range(700))
    many = {f"{RULES}/a{n}.yaml": f"title: T{n}\nlabels: {{{labels}}}\n" for n in range(8)}
    (line,) = problems(many)  # sound files, too
    assert line.startswith(f"{RULES}/a7.yaml")
    many.popitem()
    assert problems(many) == []


# -- histories


@pytest.mark.threat("T-11")
def test_branches_that_crossed_are_refused(forest: Forest) -> None:
    root = forest.commit(game())
    theirs = forest.commit(game(**{"101": None}), root, at=1)
    ours = forest.commit(with_files(game(), {f"{RULES}/x.yaml": DRAGON}), root, at=2)
    tree = with_files(game(**{"101": None}), {f"{RULES}/x.yaml": DRAGON})
    main, head = forest.commit(tree, theirs, ours, at=3), forest.commit(tree, ours, theirs, at=4)
    assert "have crossed" in problem_of(read_content(forest.repo, main, head))
    healed = forest.commit(tree, head, main, at=5)
    assert read_content(forest.repo, main, healed).problems == ()


def test_a_head_that_is_gone_unrelated_or_no_commit_is_told(forest: Forest) -> None:
    main, tree = forest.commit(game()), forest.tree(game())
    who = pygit2.Signature("A", "a@x.org", 1, 0)
    tag = forest.repo.create_tag("v1", pygit2.Oid(hex=main), ObjectType.COMMIT, who, "x")
    unrelated = forest.commit(with_files(game(), {f"{RULES}/x.yaml": DRAGON}))
    heads = {**dict.fromkeys(("", "main", "0" * 40, "../../etc/passwd", "-x"), "E-GIT:"), str(tree): "is a tree, not a commit",
             str(tag): "is a tag, not a commit", unrelated: "E-GIT: this branch has no commit in common"}  # fmt: skip
    for head, why in heads.items():
        assert why in problem_of(read_content(forest.repo, main, head))


def test_objects_that_are_missing_or_lie_about_their_kind_are_told(forest: Forest) -> None:
    nothing, blob = pygit2.Oid(hex="7" * 40), forest.repo.create_blob(b"x")
    for path, mode, inner, why in (
        ("x.yaml", b"100644", nothing, "is missing"),
        ("sub", b"40000", nothing, "is missing"),
        ("x.yaml", b"100644", forest.tree(game()), "where a file should be is a tree"),
        ("x.yaml", b"40000", blob, "is a blob"),
    ):
        assert why in refused(forest, with_files(game(), {f"{RULES}/{path}": (mode, inner)}))


@pytest.mark.parametrize(
    "rows", [b"100644", b"100644 x\0short", b"nonsense\0" + b"1" * 20, b"\xff \0" + b"1" * 20, b""]
)
def test_a_broken_tree_is_told(forest: Forest, rows: bytes) -> None:
    if not rows:
        rows = b"".join(
            b"100644 x.yaml\0" + forest.repo.create_blob(text).raw for text in (b"title: X\n", b"title: Y\n")
        )
    files = game()
    files[b"state"][b"toy"][b"rules"] = (b"40000", forest.repo.odb.write(ObjectType.TREE, rows))
    main = forest.commit(game())
    problems = read_content(forest.repo, main, forest.commit(files, main)).problems
    assert problems
    assert b"title" not in rows or "`x.yaml` stands twice" in str(problems[0])


def test_nothing_new_and_what_touches_no_game_is_nothing(forest: Forest) -> None:
    base = forest.commit(game())
    main = forest.commit(game(**{"101": LAW["101"] + "# x\n"}), base)
    elsewhere = {"README.md": (b"120000", b"x"), "docs/state/toy/rules/x.yaml": "x"}
    for head in (main, base, forest.commit(game(), base, at=5), forest.commit(with_files(game(), elsewhere), base)):
        content = read_content(forest.repo, main, head)
        assert (content.touches_game, content.games, content.problems) == (False, (), ())


def test_what_is_not_changed_is_not_looked_at(forest: Forest) -> None:
    """Unchanged folders cost nothing: they are not even there."""
    lost = {**game(), b"elsewhere": (b"40000", pygit2.Oid(hex="7" * 40))}
    lost[b"state"][b"toy"][b"journal"] = (b"40000", pygit2.Oid(hex="6" * 40))
    main = forest.commit(lost)
    content = read_content(forest.repo, main, forest.commit(with_files(lost, {f"{RULES}/x.yaml": DRAGON}), main))
    assert (len(content.games), content.problems) == (1, ())


# -- at a table


def with_rules(meeting: QuickMeeting, more: Rows, key: Callable[[Any], Any] | None = None) -> str:
    """Return a commit of ann's in which the folder of rules has further rows, whatever they are, in any order."""
    repo, names = meeting.repo, ("state", GAME, "rules")
    trees = [repo[meeting.tip()].peel(pygit2.Tree)]
    for name in names:
        trees.append(trees[-1][name])  # type: ignore[arg-type]
    rows = [*rows_of(trees.pop()), *more]
    made = raw_tree(repo, sorted(rows, key=key) if key else rows)
    for tree, name in zip(reversed(trees), reversed(names), strict=True):
        made = raw_tree(repo, [(m, n, made if n == name.encode() else i) for m, n, i in rows_of(tree)])
    who = meeting.signature("ann")
    return str(repo.create_commit(None, who, who, "Odd", made, [meeting.tip()]))


@pytest.mark.threat("T-09", "T-11")
def test_what_git_can_carry_and_people_should_not_is_told_while_others_play(quick: QuickMeeting) -> None:
    repo, tree = quick.repo, quick.repo[quick.tip()].peel(pygit2.Tree).id
    blob, who = repo.create_blob(rule("A dragon")), quick.signature("ann")
    names = (b"a\n@dee.yaml", b"..", b".git", b"a\x1b[31m.yaml", b"\xff.yaml", b"x" * 5_000, b"")
    rows = [[(b"100644", name, blob)] * times for name in names for times in (1, 2)]
    modes = (b"100755", b"120000", b"160000", b"40755", b"777", b"x", b"-1", b"")
    rows += [[(mode, b"x.yaml", blob)] for mode in modes]
    pulls = [quick.pull(with_rules(quick, more)) for more in rows]
    pulls += [quick.pull(str(repo.create_commit(None, who, who, "Of my own", tree, [])))]
    pulls += [quick.open("ann", {"rules/x.yaml": rule("Large", "x" * 2_000_000)})]
    for head in (blob, tree, repo.create_tag("odd", repo[quick.tip()].id, ObjectType.COMMIT, who, "x")):
        quick.pull(str(head))
    honest = quick.propose("bob", "Honest")
    quick.referee(60)
    assert [entry["via"]["pull"] for entry in quick.journal() if entry["do"] == "propose"] == [honest]
    for pull in pulls:
        said = quick.said(pull)
        assert "This cannot be taken" in said
        assert all(c.isprintable() or c == "\n" for c in said)
        assert "\n@dee" not in said
    assert quick.sound()


def test_rows_in_no_order_are_no_other_content(quick: QuickMeeting) -> None:
    """A tree that is not sorted is read as what it holds, and taken in only by what the engine writes anew."""
    dragon = (b"100644", b"dragon.yaml", quick.repo.create_blob(rule("A dragon")))
    pull = quick.pull(with_rules(quick, [dragon], key=lambda row: row[2].raw))
    quick.referee()
    quick.all_vote(pull)
    assert quick.proposal(301)["outcome"] == "adopted"
    assert quick.sound()
    made = quick.repo[quick.tip()].peel(pygit2.Tree)[HERE]["rules"]  # type: ignore[index]
    assert quick.repo.TreeBuilder(made).write() == made.id  # type: ignore[arg-type]


def test_replacements_and_grafts_show_nothing_else(quick: QuickMeeting) -> None:
    """Who pushes `refs/replace/…` to a shared repository changes neither what is voted on nor what is taken in."""
    pull = quick.propose("ann", "A dragon")
    evil = quick.change("ann", {f"{HERE}/rules/dragon.yaml": rule("A dictatorship")})
    quick.put(f"refs/replace/{quick.head(pull)}", evil)
    quick.put(f"refs/replace/{quick.tip()}", evil)
    quick.referee()
    assert "A dictatorship" not in quick.said(pull)
    quick.all_vote(pull)
    assert quick.document("rules/301")["title"] == "A dragon"
    assert quick.sound()
    assert closed_environment()["GIT_NO_REPLACE_OBJECTS"] == "1"
