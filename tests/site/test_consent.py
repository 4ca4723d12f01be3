"""What a repository would have its site run waits for a consent, which is kept outside of it and follows its bytes."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[import-not-found]
from pathlib import Path

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.site.configuration import foreign_code, load, require_consent
from folkmoot.site.page_model import OwnTemplates, made
from folkmoot.site.preparation import lay_site, prepare_site
from folkmoot.site.render import sheets
from tests.support.moot import Moot
from tests.support.site_game import game
from tests.support.sites import configure, files_below, lay_small_site

HOOK, CONFIG, OVERRIDES = "ci/site_pages.py", "mkdocs.yml", "site_src/overrides"
COMMANDS = (("serve", "--build"), ("serve", "--port", "0"))
CALL = '!!python/object/apply:os.system ["touch {decoy}"]'

CONFIGURED = {
    "a hook": ('"ci/site_pages.py"', '"ci/other.py"'),
    "a hook beside the packaged one": ('"ci/site_pages.py"', '"ci/site_pages.py"\n  - "ci/other.py"'),
    "a plugin": ("plugins: []", "plugins: [macros]"),
    "a plugin with options": ("plugins: []", "plugins:\n  search: {separator: x}"),
    "a tag that calls": ("extra:\n", f"extra:\n  x: {CALL}\n"),
    "a tag that calls in a key": ("extra:\n", f"extra:\n  ? {CALL}\n  : 1\n"),
    "a tag that makes": ("extra:\n", 'extra:\n  x: !!python/object/new:os.system ["touch {decoy}"]\n'),
    "a name of Python": ("toc:\n", "toc:\n      slugify: !!python/name:os.system\n"),
    "a variable of the environment": ('"Folkmoot"', "!ENV HOME"),
    "an extension": ("  - attr_list", "  - attr_list\n  - other"),
    "an extension that reads files": ("  - attr_list", "  - attr_list\n  - pymdownx.snippets: {base_path: /}"),
    "an option that calls": ("  - pymdownx.superfences", "  - pymdownx.superfences: {custom_fences: [{name: x}]}"),
    "another configuration": ("site_name:", "INHERIT: other.yml\nsite_name:"),
    "another folder of pages": ('"site_src"', '"/etc"'),
    "a folder of pages outside": ('"site_src"', '"../.."'),
    "another place to build": ('site_dir: "site"', 'site_dir: "../home"'),
    "another folder of templates": ('"site_src/overrides"', '"ci"'),
    "another theme": ('name: "material"', 'name: "other"'),
    "templates among the pages": ("extra:\n", "extra_templates: [x.html]\nextra:\n"),
    "templates of the theme": ('  name: "material"', '  name: "material"\n  static_templates: [x.html]'),
    "a key that is merged": ("extra:\n", "<<: {hooks: [ci/other.py]}\nextra:\n"),
    "values without end": ("extra:\n", "extra: &x\n  y: [*x, *x]\n"),
    "a theme that is no map": ("plugins: []", 'plugins: []\ntheme: "other"'),
}
FILES = {
    "the hook": (HOOK, "open('{decoy}', 'w')\n"),
    "a template of the theme": (f"{OVERRIDES}/main.html", "{{{{ config }}}}"),
    "a new template of the theme": (f"{OVERRIDES}/partials/footer.html", "{{{{ config.load_file }}}}"),
    "an icon, which is a template": (f"{OVERRIDES}/.icons/material/magnify.svg", "{{{{ config }}}}"),
    "a template of pages": (f"{OVERRIDES}/pages/index.html", "{{% for x in range(99999) %}}{{% endfor %}}"),
}


@pytest.fixture(autouse=True)
def settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the settings of the user, and so their consents, in a folder of their own."""
    folder = tmp_path_factory.mktemp("settings")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    return folder


def disagreed(root: Path, decoy: Path) -> str:
    """Hold that no site is made of a repository, that nothing of it ran or changed, and return the sentence that says why."""
    before = files_below(root)
    with pytest.raises(ProblemError, match="E-CONSENT") as refused:
        prepare_site(root)
    assert (decoy.exists(), files_below(root), len(refused.value.problems)) == (False, before, 1)
    assert "`moot serve --build --trust`" in str(refused.value)
    return str(refused.value)


@pytest.mark.threat("T-78")
@pytest.mark.parametrize("name", CONFIGURED)
def test_no_setting_runs_or_reads_what_is_not_packaged(name: str, tmp_path: Path) -> None:
    lay_small_site(root := tmp_path / "root")
    decoy, (before, after) = tmp_path / "ran", CONFIGURED[name]
    configure(root, before, after.replace("{decoy}", str(decoy)))
    (root / "ci/other.py").write_text(f"open({str(decoy)!r}, 'w')\n", "utf-8")
    (root / "other.yml").write_text(f"x: {CALL.format(decoy=decoy)}\n", "utf-8")
    assert "mkdocs.yml:" in disagreed(root, decoy)
    with pytest.raises(ProblemError, match="E-CONSENT"):
        load(root / CONFIG)


@pytest.mark.threat("T-78")
@pytest.mark.parametrize("name", FILES)
def test_no_file_is_run_that_is_not_packaged_byte_for_byte(name: str, tmp_path: Path) -> None:
    lay_small_site(root := tmp_path / "root")
    decoy, (path, text) = tmp_path / "ran", FILES[name]
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    with (root / path).open("a") as file:
        file.write(text.format(decoy=decoy))
    assert path in disagreed(root, decoy)


@pytest.mark.threat("T-78")
def test_what_python_compiled_beside_the_packaged_hook_is_not_run_and_commands_refuse_others(
    table: Moot, tmp_path: Path
) -> None:
    lay_small_site(tmp_path)
    decoy = tmp_path.parent / f"{tmp_path.name}-ran"
    compiled = Path(importlib.util.cache_from_source(str(tmp_path / HOOK)))
    compiled.parent.mkdir()
    code = compile(f"open({str(decoy)!r}, 'w')", HOOK, "exec")
    compiled.write_bytes(_code_to_hash_pyc(code, b"\0" * 8, checked=False))
    assert table("serve", "--build").code == 0
    (tmp_path / HOOK).write_text(f"open({str(decoy)!r}, 'w')\n", "utf-8")
    for words in COMMANDS:
        said = table(*words)
        assert (said.code, said.err.count("[E-"), said.err.count("[E-CONSENT]")) == (4, 1, 1), (words, said)
    assert not decoy.exists()


@pytest.mark.parametrize(
    "text",
    [b"\xff\xff", b"[" * 2000, b"nav: [", b"- a list", b"a: 1\n---\nb: 2\n", b"\0", b"x: \x1b[31m", b"#" * 600_000],
)
def test_a_configuration_that_cannot_be_read_is_one_sentence(text: bytes, tmp_path: Path) -> None:
    lay_small_site(tmp_path)
    (tmp_path / CONFIG).write_bytes(text)
    with pytest.raises(ProblemError, match=r"mkdocs\.yml") as refused:
        prepare_site(tmp_path)
    assert len(refused.value.problems) == 1


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        (CONFIG, 'language: "en"', 'language: "xx"'),
        (CONFIG, 'logo: "assets/favicon.svg"', "icon: {logo: ../../../x}"),
        (CONFIG, "  palette:\n", "  features: 5\n  palette:\n"),
        (CONFIG, "nav:\n", f"nav: {'[' * 300}{']' * 300}\nextra_css:\n"),
        (CONFIG, 'site_name: "Folkmoot"', f"site_name: {'9' * 5000}"),
        (CONFIG, "  generator: false", "  social: [{icon: none/such, link: x}]"),
        ("site_src/nomic.md", "# ", "---\ntemplate: none.html\n---\n# "),
    ],
)
@pytest.mark.sampled(3)
def test_settings_that_the_theme_cannot_use_are_a_sentence(
    name: str, before: str, after: str, table: Moot, tmp_path: Path
) -> None:
    lay_small_site(tmp_path)
    configure(tmp_path, before, after, name)
    said = table("serve", "--build")
    assert said.code in (0, 5), said
    assert all(line.startswith(("  hint: ", "/")) for line in said.err.splitlines()), said.err


def test_what_is_packaged_needs_no_consent(tmp_path: Path, settings: Path) -> None:
    lay_site(tmp_path)
    configure(tmp_path, "nav:", 'site_url: "https://a.example/"\nrepo_url: "https://b.example/"\nnav:')
    for root in (tmp_path, Path(__file__).parents[2]):
        assert list(foreign_code(root)) == []
    assert prepare_site(tmp_path) == []
    assert list(settings.iterdir()) == []
    assert load(tmp_path / CONFIG).hooks == {}, "a build does what the packaged hook does"


# -- a consent


def hooked(root: Path, code: str = "import beside\n") -> None:
    lay_small_site(root)
    configure(root, HOOK, "ci/other.py")
    (root / "ci/other.py").write_text(code, "utf-8")
    (root / "ci/beside.py").write_text("", "utf-8")
    (root / "ci/link.py").symlink_to("beside.py")


def test_who_consents_has_it_run_then_and_later(table: Moot, tmp_path: Path, settings: Path) -> None:
    ran = tmp_path.parent / f"{tmp_path.name}-ran"
    hooked(tmp_path, f"from pathlib import Path\ndef on_pre_build(config): Path({str(ran)!r}).touch()\n")
    assert table("serve", "--build", "--trust").code == 0
    assert ran.exists()
    ran.unlink()
    assert table("serve", "--build").code == 0
    assert ran.exists()
    assert [path for path in tmp_path.rglob("*consent*") if ".git" not in path.parts] == []
    assert [path for path in settings.rglob("*") if path.is_file()] != []


@pytest.mark.threat("T-78")
def test_who_consents_when_they_serve_consents_to_nothing_that_comes_later(
    table: Moot, tmp_path: Path, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tmp_path.parent / f"{tmp_path.name}-ran"
    hooked(tmp_path)

    def go_on(root: Path, build: Callable[[], object], _following: object) -> None:
        code = f"from pathlib import Path\ndef on_pre_build(config): Path({str(ran)!r}).touch()\n"
        (root / "ci/other.py").write_text(code, "utf-8")
        build()
        raise KeyboardInterrupt

    monkeypatch.setattr("folkmoot.cli.serve.follow", go_on)
    said = table("serve", "--port", "0", "--trust")
    assert (said.code, "nobody here has consented" in said.err) == (0, True)
    assert not ran.exists()


CHANGES: dict[str, Callable[[Path], object]] = {
    "the configuration": lambda root: (root / CONFIG).write_text((root / CONFIG).read_text() + "#\n"),
    "the hook": lambda root: (root / "ci/other.py").write_text("import beside #\n"),
    "a module beside it": lambda root: (root / "ci/beside.py").write_text("1\n"),
    "another module": lambda root: (root / "os.py").write_text("1\n"),
    "a link to a module": lambda root: ((root / "ci/link.py").unlink(), (root / "ci/link.py").symlink_to("../x")),
    "a template": lambda root: (root / OVERRIDES / "main.html").write_text("x"),
    "words, which a plugin may run": lambda root: (root / "site_src/front.md").write_text("x"),
}


@pytest.mark.threat("T-78")
@pytest.mark.parametrize("name", CHANGES)
def test_what_changed_since_needs_another_consent(name: str, tmp_path: Path) -> None:
    hooked(tmp_path)
    require_consent(tmp_path, given=True)
    require_consent(tmp_path)
    CHANGES[name](tmp_path)
    with pytest.raises(ProblemError, match="E-CONSENT"):
        require_consent(tmp_path)


@pytest.mark.threat("T-78")
def test_no_consent_is_believed_or_kept_where_the_clone_could_bring_it(
    tmp_path: Path, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooked(tmp_path)
    require_consent(tmp_path, given=True)
    shutil.copytree(settings, tmp_path / ".config")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    for given in (False, True):
        with pytest.raises(ProblemError, match="no consent can be kept in the clone"):
            require_consent(tmp_path, given=given)


def test_play_changes_nothing_of_a_consent_and_another_folder_has_its_own(tmp_path: Path) -> None:
    root = tmp_path / "one"
    hooked(root)
    require_consent(root, given=True)
    for name in ("state/tea/head.yaml", "site/index.html", "build/site/x"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x", "utf-8")
    require_consent(root)
    shutil.copytree(root, tmp_path / "two", symlinks=True)
    with pytest.raises(ProblemError, match="E-CONSENT"):
        require_consent(tmp_path / "two")


def test_words_of_a_site_whose_templates_are_its_own_change_freely(tmp_path: Path) -> None:
    lay_site(tmp_path)
    template = tmp_path / OVERRIDES / "pages/index.html"
    template.parent.mkdir()
    template.write_text("<p>Hello</p>", "utf-8")
    require_consent(tmp_path, given=True)
    (tmp_path / "site_src/front.md").write_text("x", "utf-8")
    require_consent(tmp_path)
    template.write_text("<p>Hello!</p>", "utf-8")
    with pytest.raises(ProblemError, match=r"pages/index\.html"):
        require_consent(tmp_path)


# -- the sandbox of templates


@pytest.mark.threat("T-78")
@pytest.mark.parametrize(
    "payload",
    [
        "{{ ''.__class__.__mro__[1].__subclasses__()[0] }}", "{{ ''|attr('__class__')|attr('__mro__') }}",
        "{{ '{0.__class__.__mro__}'.format(game) }}", "{{ cycler.__init__.__globals__.os.system('touch DECOY') }}",
        "{{ self.__init__.__globals__ }}", "{{ section.__globals__['__builtins__'] }}", "{{ _.__globals__ }}",
        "{{ game.__class__.__init__.__globals__ }}", "{{ parts[0].section.__init__.__globals__ }}",
        "{{ page.sections.clear() }}", "{% for number in range(10**9) %}{% endfor %}",
        "{% include '../../../secret.html' %}", "{% include '/etc/passwd' %}", "{% include 'packaged//etc/passwd' %}",
        "{% include 'packaged/../pen.py' %}", "{% include 'link.html' %}",
    ],
)  # fmt: skip
def test_a_template_reaches_nothing_but_the_page(payload: str, tmp_path: Path) -> None:
    decoy, folder = tmp_path / "ran", tmp_path / "overrides/pages"
    folder.mkdir(parents=True)
    (tmp_path / "secret.html").write_text("SECRET", "utf-8")
    (folder / "link.html").symlink_to(tmp_path / "secret.html")
    (folder / "offices.html").write_text(payload.replace("DECOY", str(decoy)), "utf-8")
    view, restyling = game(), OwnTemplates(tmp_path)
    (offices,) = (sheet for sheet in sheets(view) if sheet.path == "offices.md")
    assert made(view, offices, restyling).body == made(view, offices).body
    assert [problem.code for problem in restyling.problems] == ["E-SITE"]
    assert not decoy.exists()
