"""What a pull request must not bring: each gets one clear sentence with its place, and nothing of it is used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygit2
import pytest

from folkmoot.referee.content import MOST_COMMITS, Content, read_content
from folkmoot.referee.pull_request_tree import LARGEST_FILE, MOST_FILES
from tests.support.forest import LAW, Forest, game, with_files

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


MODES = {
    "link": ((b"120000", b"/etc/passwd"), "E-MODE: this is a symbolic link (commit the file itself)"),
    "submodule": ((b"160000", pygit2.Oid(hex="1" * 40)), "E-MODE: this is a submodule"),
    "executable": ((b"100755", DRAGON.encode()), "E-MODE: this is executable"),
    "group-writable": ((b"100664", DRAGON.encode()), "E-MODE: this has the odd mode 100664"),
    "socket": ((b"140000", DRAGON.encode()), "E-MODE: this has the odd mode 140000"),
    "setuid": ((b"104755", DRAGON.encode()), "E-MODE: this has the odd mode 104755"),
    "nothing": ((b"0", DRAGON.encode()), "E-MODE: this has the odd mode 0"),
}


@pytest.mark.threat("T-09")
@pytest.mark.parametrize("kind", MODES)
@pytest.mark.parametrize("place", ["rules/x.yaml", "inbox/x.yaml", "rules/203.yaml"])
def test_only_ordinary_files_are_read(told: Callable[..., list[str]], kind: str, place: str) -> None:
    content, sentence = MODES[kind]
    (line,) = told({f"state/toy/{place}": content})
    assert line.startswith(f"state/toy/{place}: {sentence}")


@pytest.mark.threat("T-09")
@pytest.mark.parametrize("place", ["rules", "inbox"])
@pytest.mark.parametrize("kind", ["link", "submodule"])
def test_the_folders_that_are_read_are_folders(told: Callable[..., list[str]], kind: str, place: str) -> None:
    (line,) = told({f"state/toy/{place}": MODES[kind][0]})
    assert line.startswith(f"state/toy/{place}: {MODES[kind][1]}")


@pytest.mark.parametrize(("path", "place"), [("state", "state"), ("state/toy", "state/toy"), (RULES, RULES)])
def test_a_file_takes_no_folders_place(told: Callable[..., list[str]], path: str, place: str) -> None:
    assert told({path: "text"}) == [f"{place}: E-PATH: here must be a folder (leave it as it was)"]


def test_a_folder_takes_no_files_place(told: Callable[..., list[str]]) -> None:
    (line,) = told({f"{RULES}/203.yaml": {b"x.yaml": DRAGON.encode()}})
    assert line.startswith(f"{RULES}/203.yaml: E-PATH: a file and a folder take each other's place")


NAMES = {
    b"..": "`..` and empty names lead out of the folder",
    b".": "`..` and empty names lead out of the folder",
    b"": "`..` and empty names lead out of the folder",
    b"a..b.yaml": "`..` and empty names lead out of the folder",
    b"../x.yaml": "`..` and empty names lead out of the folder",
    b"/etc/passwd.yaml": "the name holds a slash or backslash of its own",
    b"a/b.yaml": "the name holds a slash or backslash of its own",
    b"a\\b.yaml": "the name holds a slash or backslash of its own",
    b"C:x.yaml": "a character that not every system can have",
    b"x.yaml:stream": "a character that not every system can have",
    b".hidden.yaml": "hidden files have no place in a game",
    b"-rf.yaml": "a character that not every system can have",
    b" x.yaml": "a character that not every system can have",
    b"x.yaml ": "a character that not every system can have",
    b"x.yaml.": "a character that not every system can have",
    b"a*.yaml": "a character that not every system can have",
    b"a\nb.yaml": "the control character U+000A",
    b"a\x1b[31m.yaml": "the control character U+001B",
    b".git": "this name means something to git",
    b".GIT": "this name means something to git",
    b".git ": "this name means something to git",
    b".git.": "this name means something to git",
    b"GIT~1": "this name means something to git",
    b"gi7eba~1": "this name means something to git",
    ".g\u200cit".encode(): "this name means something to git",
    "．git".encode(): "this name means something to git",
    b".gitattributes": "this name means something to git",
    b".gitmodules": "this name means something to git",
    b".gitignore": "this name means something to git",
    b".git::$INDEX_ALLOCATION": "this name means something to git",
    b"CON.yaml": "some systems cannot have a file of this name",
    b"aux": "some systems cannot have a file of this name",
    b"com1.x.yaml": "some systems cannot have a file of this name",
    "203\u200b.yaml".encode(): "the invisible character U+200B",
    "\u202e203.yaml".encode(): "the invisible character U+202E",
    "2\u043e3.yaml".encode(): "U+043E, a Cyrillic letter that may look like another",
    "Ho\u0308hle.yaml".encode(): "U+0308",
    "H\u00f6hle.yaml".encode(): "U+00F6",
    b"\xff\xfe.yaml": "the name is not UTF-8",
    b"x" * 101 + b".yaml": "the path is longer than 240 characters",
}


@pytest.mark.threat("T-10")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", ["file", "folder"])
def test_names_that_lead_astray_are_refused(forest: Forest, name: bytes, mode: str) -> None:
    main = forest.commit(game())
    files = game()
    files[b"state"][b"toy"][b"rules"][name] = DRAGON.encode() if mode == "file" else {b"x.yaml": DRAGON.encode()}
    content = read_content(forest.repo, main, forest.commit(files, main))
    (problem,) = content.problems
    assert problem.code == "E-PATH"
    assert NAMES[name] in problem.message
    assert str(problem).isascii()
    assert str(problem).isprintable()


@pytest.mark.parametrize("name", ["x.txt", "README.md", "x.yml", "x.YAML", "x.star", "x"])
def test_only_yaml_is_read(told: Callable[..., list[str]], name: str) -> None:
    (line,) = told({f"{RULES}/{name}": DRAGON})
    assert line.startswith(f"{RULES}/{name}: E-PATH: only files of rules and acts belong here")


@pytest.mark.threat("T-10")
@pytest.mark.parametrize(("one", "other"), [("a.yaml", "A.yaml"), ("sub/x.yaml", "Sub/y.yaml")])
def test_names_that_some_system_takes_for_one_are_refused(told: Callable[..., list[str]], one: str, other: str) -> None:
    lines = told({f"{RULES}/{one}": DRAGON, f"{RULES}/{other}": DRAGON})
    assert len(lines) == 2
    assert all("which some systems take for the same name" in line for line in lines)


def test_a_new_file_that_collides_with_one_of_the_game_is_refused(forest: Forest) -> None:
    base = with_files(game(), {f"{RULES}/8-b.yaml": 'rule: "8-b"\nuid: "8-b"\ntitle: X\n'})
    main = forest.commit(base)
    content = read_content(forest.repo, main, forest.commit(with_files(base, {f"{RULES}/8-B.yaml": DRAGON}), main))
    (problem,) = content.problems
    assert str(problem.position) == f"{RULES}/8-B.yaml"


@pytest.mark.threat("T-10")
@pytest.mark.parametrize("name", ["State/toy/rules/x.yaml", "STATE", "state./x"])
def test_a_folder_beside_the_state_that_looks_like_it_is_refused(told: Callable[..., list[str]], name: str) -> None:
    assert any("E-FOREIGN" in line or "E-PATH" in line for line in told({name: DRAGON}))


def test_a_folder_that_some_system_takes_for_the_games_is_refused(told: Callable[..., list[str]]) -> None:
    lines = told({"state/TOY/rules/x.yaml": DRAGON})
    assert any("E-NO-GAME: there is no game `TOY` here" in line for line in lines)
    assert any("`toy`, which some systems take for the same name" in line for line in lines)
    assert any("`rules`, which some systems" in line for line in told({"state/toy/RULES/x.yaml": DRAGON}))


FOREIGN = {
    "README.md": "this is no part of a game",
    ".gitattributes": "this is no part of a game",
    ".gitmodules": "this is no part of a game",
    "engine/folkmoot/kernel/play.py": "this is no part of a game",
    ".github/workflows/play.yaml": "this is no part of a game",
    "state/toy/journal/000/000001.yaml": "nobody edits it",
    "state/toy/journal/000/000002.yaml": "nobody edits it",
    "state/toy/head.yaml": "only the referee writes it",
    "state/toy/things/player/a.yaml": "only the referee writes it",
    "state/toy/pulls/000/7.yaml": "only the referee writes it",
    "state/toy/.gitattributes": "neither a rule nor an act",
    "state/toy/notes.txt": "neither a rule nor an act",
    "state/new/head.yaml": "there is no game `new` here",
    "state/.gitattributes": "there is no game `.gitattributes` here",
}


@pytest.mark.threat("T-05")
@pytest.mark.parametrize("path", FOREIGN)
@pytest.mark.parametrize("mode", [b"100644", b"120000"])
def test_a_pull_request_that_plays_changes_nothing_else(told: Callable[..., list[str]], path: str, mode: bytes) -> None:
    (line,) = told({path: (mode, b"* filter=evil\n"), f"{RULES}/x.yaml": DRAGON})
    assert line.startswith(f"{path}: E-")
    assert FOREIGN[path] in line


@pytest.mark.parametrize("path", ["README.md", ".gitattributes", "engine/x.py", "docs/state/toy/rules/x.yaml"])
def test_one_that_touches_no_game_is_none_of_the_referees_business(forest: Forest, path: str) -> None:
    main = forest.commit(game())
    content = read_content(forest.repo, main, forest.commit(with_files(game(), {path: (b"120000", b"x")}), main))
    assert (content.touches_game, content.games, content.problems) == (False, (), ())


def test_taking_the_whole_game_away_is_told_as_what_it_is(told: Callable[..., list[str]]) -> None:
    assert any("E-FOREIGN" in line and "journal" in line for line in told({"state/toy": None}))
    assert any("E-FOREIGN" in line for line in told({"state": None}))


# -- files that are no text of ours

FILES = {
    "pointer": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
        ": E-FORMAT: this is a pointer of Git LFS",
    ),
    "binary": (b"title: X\n\0\0\0", ": E-UTF8: the file is binary"),
    "utf-16": ("title: X\n".encode("utf-16"), ": E-UTF8: the file is binary"),
    "latin-1": (b"title: X\ntext: \xe4\n", ":2: E-UTF8: the file is not UTF-8 text"),
    "mark": (b"\xef\xbb\xbftitle: X\n", ":1:1: E-CHARACTER: the character U+FEFF may not stand"),
    "old-mac": (b"title: X\rtext: y\r", ":1:9: E-CHARACTER"),
    "escape": (b"title: \x1b[31mX\n", ":1:8: E-CHARACTER"),
    "aliases": (b"title: &a X\ntext: *a\n", ":1:8: E-ALIAS"),
    "laughs": (b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", ":1:4: E-ALIAS"),
    "tag": (b"title: !!python/object:os.system X\n", ":1:8: E-TAG"),
    "merge": (b"<<: {title: X}\n", ":1:1: E-KEY"),
    "deep": (b"labels: " + b"[" * 5000, ":1:28: E-DEPTH"),
    "deep-blocks": (b"".join(b" " * n + b"a:\n" for n in range(300)), ":21:21: E-DEPTH"),
    "two": (b"title: X\n---\ntitle: Y\n", ":2:1: E-DOCUMENTS"),
    "twice": (b"title: X\ntitle: Y\n", ":2:1: E-DUPLICATE"),
    "empty": (b"", ":1:1: E-TYPE"),
    "digits": (b"title: X\nlabels: {a: " + b"9" * 5000 + b"}\n", ":2:13: E-SIZE"),
    "float": (b"title: 1.5\n", ":1:8: E-FLOAT"),
    "hidden": ("title: X\nscript: |\n  a = 'b\u202ec'\n".encode(), ":2:9: E-CHARACTER"),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_is_no_text_of_ours_is_refused_with_its_place(told: Callable[..., list[str]], kind: str) -> None:
    content, said = FILES[kind]
    assert told({f"{RULES}/x.yaml": content})[0].startswith(f"{RULES}/x.yaml{said}")


def test_scripts_are_read_and_never_run(told: Callable[..., list[str]]) -> None:
    assert told({f"{RULES}/x.yaml": DRAGON + "script: |\n  fail('it ran')\n  while True: syntax error\n"}) == []


# -- too much of it


def test_more_files_than_anybody_reads_are_refused_with_one_sentence(told: Callable[..., list[str]]) -> None:
    many = {f"{RULES}/{n // 100}/{n}.yaml": DRAGON for n in range(MOST_FILES + 1)}
    assert told(many) == [
        "E-SIZE: this changes more than 200 files of games; no more are read (make several pull requests of it)"
    ]
    assert told(dict(list(many.items())[:MOST_FILES])) == []
    (line,) = told({f"{RULES}/{n}.yaml": DRAGON for n in range(20_000)})
    assert line.startswith("E-SIZE: 20,000 files differ in state/toy/rules; at most 200 are read")


@pytest.mark.threat("T-29")
def test_a_folder_of_a_million_files_is_not_even_listed(forest: Forest) -> None:
    blob = forest.repo.create_blob(DRAGON.encode())
    rows = b"".join(b"100644 %07d.yaml\0" % n + blob.raw for n in range(150_000))
    tree = forest.repo.odb.write(pygit2.enums.ObjectType.TREE, rows)
    files = game()
    files[b"state"][b"toy"][b"rules"] = (b"40000", tree)
    main = forest.commit(game())
    (problem,) = read_content(forest.repo, main, forest.commit(files, main)).problems
    assert str(problem).startswith("state/toy/rules: E-GIT: state/toy/rules has a listing of")


@pytest.mark.threat("T-27")
def test_a_large_file_is_refused_without_being_read(told: Callable[..., list[str]]) -> None:
    (line,) = told({f"{RULES}/x.yaml": b"#" * (LARGEST_FILE + 1)})
    assert line.startswith(f"{RULES}/x.yaml: E-SIZE: the file has 200,001 bytes; at most 200,000 are read")


@pytest.mark.threat("T-27")
def test_files_that_are_too_large_together_are_refused(told: Callable[..., list[str]]) -> None:
    (line,) = told({f"{RULES}/{n}.yaml": b"#" * 180_000 for n in range(6)})
    assert line.startswith("E-SIZE: the files that this changes have more than 1,000,000 bytes together")


@pytest.mark.threat("T-29")
def test_a_tree_without_end_is_left_at_its_fifth_folder(forest: Forest) -> None:
    tree = forest.tree({b"x.yaml": DRAGON.encode()})
    for _ in range(5_000):
        tree = forest.repo.odb.write(pygit2.enums.ObjectType.TREE, b"40000 d\0" + tree.raw)
    files = game()
    files[b"state"][b"toy"][b"rules"][b"d"] = (b"40000", tree)
    main = forest.commit(game())
    (problem,) = read_content(forest.repo, main, forest.commit(files, main)).problems
    assert str(problem).startswith("state/toy/rules/d/d/d/d/d: E-PATH: folders lie more than 4 deep here")
    files = with_files(game(), {"elsewhere": (b"40000", tree), f"{RULES}/x.yaml": DRAGON})
    (problem,) = read_content(forest.repo, main, forest.commit(files, main)).problems
    assert problem.code == "E-FOREIGN"


@pytest.mark.threat("T-28")
def test_a_branch_of_thousands_of_commits_is_refused(forest: Forest) -> None:
    main = head = forest.commit(game())
    tree = forest.tree(with_files(game(), {f"{RULES}/x.yaml": DRAGON}))
    for n in range(MOST_COMMITS + 1):
        head = forest.commit(tree, head, at=n)
    (problem,) = read_content(forest.repo, main, head).problems
    assert "more than 1,000 commits of its own" in problem.message


# -- histories


def problem_of(content: Content) -> str:
    (problem,) = content.problems
    assert (content.games, content.touches_game) == ((), True)
    return str(problem)


def test_a_branch_without_a_common_ancestor_is_refused(forest: Forest) -> None:
    main = forest.commit(game())
    other = forest.commit(with_files(game(), {f"{RULES}/x.yaml": DRAGON}))
    assert problem_of(read_content(forest.repo, main, other)).startswith("E-GIT: this branch has no commit in common")


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


@pytest.mark.parametrize("name", ["", "main", "0" * 40, "7" * 40, "../../etc/passwd", "-x"])
def test_a_head_that_is_gone_is_told(forest: Forest, name: str) -> None:
    assert problem_of(read_content(forest.repo, forest.commit(game()), name)).startswith("E-GIT:")


def test_a_head_that_is_no_commit_is_told(forest: Forest) -> None:
    main = forest.commit(game())
    tree = forest.tree(game())
    tag = forest.repo.create_tag(
        "v1", pygit2.Oid(hex=main), pygit2.enums.ObjectType.COMMIT, pygit2.Signature("A", "a@x.org", 1, 0), "x"
    )
    assert "is a tree, not a commit" in problem_of(read_content(forest.repo, main, str(tree)))
    assert "is a tag, not a commit" in problem_of(read_content(forest.repo, main, str(tag)))


def test_objects_that_are_missing_are_told(forest: Forest) -> None:
    main = forest.commit(game())
    for path in (f"{RULES}/x.yaml", f"{RULES}/sub"):
        mode = b"100644" if path.endswith(".yaml") else b"40000"
        head = forest.commit(with_files(game(), {path: (mode, pygit2.Oid(hex="7" * 40))}), main)
        assert "is missing" in problem_of(read_content(forest.repo, main, head))


def test_a_tree_that_says_it_is_a_file_is_told(forest: Forest) -> None:
    main = forest.commit(game())
    for mode, said in ((b"100644", "where a file should be is a tree"), (b"40000", "is a blob")):
        inner = forest.tree(game()) if mode == b"100644" else forest.repo.create_blob(b"x")
        head = forest.commit(with_files(game(), {f"{RULES}/x.yaml": (mode, inner)}), main)
        assert said in problem_of(read_content(forest.repo, main, head))


def test_a_name_that_stands_twice_in_its_folder_is_refused(forest: Forest) -> None:
    main = forest.commit(game())
    blobs = [forest.repo.create_blob(text) for text in (DRAGON.encode(), b"title: Trap\n")]
    rows = b"".join(b"100644 x.yaml\0" + blob.raw for blob in blobs)
    files = game()
    files[b"state"][b"toy"][b"rules"] = (b"40000", forest.repo.odb.write(pygit2.enums.ObjectType.TREE, rows))
    assert "`x.yaml` stands twice" in problem_of(read_content(forest.repo, main, forest.commit(files, main)))


@pytest.mark.threat("T-10")
@pytest.mark.parametrize("rows", [b"100644", b"100644 x\0short", b"nonsense\0" + b"1" * 20, b"\xff \0" + b"1" * 20])
def test_a_broken_tree_is_told(forest: Forest, rows: bytes) -> None:
    files = game()
    files[b"state"][b"toy"][b"rules"] = (b"40000", forest.repo.odb.write(pygit2.enums.ObjectType.TREE, rows))
    main = forest.commit(game())
    assert read_content(forest.repo, main, forest.commit(files, main)).problems


def test_nothing_new_is_nothing(forest: Forest) -> None:
    base = forest.commit(game())
    main = forest.commit(game(**{"101": LAW["101"] + "# x\n"}), base)
    for head in (main, base, forest.commit(game(), base, at=5)):
        content = read_content(forest.repo, main, head)
        assert (content.touches_game, content.games, content.problems) == (False, (), ())


def test_what_is_not_changed_is_not_looked_at(forest: Forest) -> None:
    """Unchanged folders cost nothing: they are not even there."""
    lost = {**game(), b"elsewhere": (b"40000", pygit2.Oid(hex="7" * 40))}
    lost[b"state"][b"toy"][b"journal"] = (b"40000", pygit2.Oid(hex="6" * 40))
    main = forest.commit(lost)
    content = read_content(forest.repo, main, forest.commit(with_files(lost, {f"{RULES}/x.yaml": DRAGON}), main))
    assert (len(content.games), content.problems) == (1, ())
