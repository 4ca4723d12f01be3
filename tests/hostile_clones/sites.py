"""What a site may be made of, and what would run when it is built: settings, hooks, plugins, templates, themes."""

from __future__ import annotations

from functools import partial

from tests.hostile_clones.ground import GAME, Clone, Kind

CODE = 'import os\nos.system("{0}")\nopen("{0}.python", "w")\n\ndef on_config(config, **_):\n    os.system("{0}")\n    return config\n'
TEMPLATE = (
    "{{{{ self.__init__.__globals__.__builtins__.__import__('os').system('{0}') }}}}"
    "{{{{ cycler.__init__.__globals__.os.system('{0}') }}}}{{{{ lipsum.__globals__['os'].system('{0}') }}}}"
    "{{{{ ''.__class__.__mro__[1].__subclasses__() }}}}{{% include '/etc/passwd' %}}{{% extends '../../../../etc/passwd' %}}"
)


def _settings(text: str, clone: Clone) -> None:
    """Write `mkdocs.yml` as it is packaged, with a setting more."""
    own = clone.root / "mkdocs.yml"
    before = own.read_text("utf-8") if own.is_file() else "site_name: A game\n"
    key = text.partition(":")[0]
    kept: list[str] = []
    leaving = False
    for line in before.splitlines(keepends=True):
        leaving = line.startswith(f"{key}:") or (leaving and line[:1] in " -\n#")
        kept += [] if leaving else [line]
    trap = clone.trap("mkdocs")
    clone.write("mkdocs.yml", "".join(kept) + text.format(trap, clone.ground.home, clone.ground.neighbour) + "\n")
    clone.write("ci/evil.py", CODE.format(trap))
    clone.write("evil.py", CODE.format(trap))
    clone.write("base.yml", f"site_name: x\nhooks: [ci/evil.py]\ndocs_dir: {clone.ground.home}\n")
    clone.commit()


def _hook_changed(clone: Clone) -> None:
    path = clone.root / "ci/site_pages.py"
    clone.write(
        "ci/site_pages.py", CODE.format(clone.trap("mkdocs")) + (path.read_text("utf-8") if path.is_file() else "")
    )
    clone.commit()


def _modules(clone: Clone) -> None:
    """Let modules lie where somebody's Python may look first."""
    for name in (
        "folkmoot",
        "click",
        "msgspec",
        "mkdocs",
        "yaml",
        "jinja2",
        "sitecustomize",
        "usercustomize",
        "json",
        "logging",
    ):
        for folder in ("", "ci/", "site_src/", f"state/{GAME}/"):
            clone.write(f"{folder}{name}.py", CODE.format(clone.trap(f"module-{name}")))
    clone.write("pyproject.toml", "[tool.x]\n")
    clone.write(".pth", "import os\n")
    clone.commit()


def _templates(place: str, clone: Clone) -> None:
    clone.write(f"site_src/overrides/{place}", TEMPLATE.format(clone.trap("template")))
    clone.commit()


def _endless_template(clone: Clone) -> None:
    clone.write(
        "site_src/overrides/pages/_each.html",
        "{% for a in range(10**9) %}{% for b in range(10**9) %}x{% endfor %}{% endfor %}",
    )
    clone.commit()


def _markdown(clone: Clone) -> None:
    """Let pages by hand take in what lies outside."""
    trap = clone.trap("page")
    text = f'---\ntemplate: ../../../etc/passwd\n---\n--8<-- "{clone.ground.home}/target"\n\n{TEMPLATE.format(trap)}\n![x](file://{clone.ground.home}/target)\n'
    for name in ("index.md", "guide.md", "404.md"):
        clone.write(f"site_src/{name}", text)
    clone.commit()


KINDS = {
    "a hook": Kind(partial(_settings, "hooks: [ci/evil.py]")),
    "a packaged hook that was changed": Kind(_hook_changed),
    "a plugin": Kind(partial(_settings, "plugins:\n  - evil\n  - macros:\n      module_name: evil\n  - exec\n  - search")),
    "an object of Python": Kind(partial(_settings, "extra: !!python/object/apply:os.system ['{0}']")),
    "a name of Python": Kind(partial(_settings, "markdown_extensions:\n  - evil\n  - pymdownx.superfences:\n      custom_fences:\n        - name: x\n          class: x\n          format: !!python/name:evil.on_config")),
    "a variable": Kind(partial(_settings, "site_description: !ENV GITHUB_TOKEN")),
    "settings that are inherited": Kind(partial(_settings, "INHERIT: base.yml")),
    "settings inherited from a home": Kind(partial(_settings, "INHERIT: {1}/target")),
    "pages of a home": Kind(partial(_settings, "docs_dir: {1}")),
    "pages of everything": Kind(partial(_settings, "docs_dir: .")),
    "a site in a home": Kind(partial(_settings, "site_dir: {1}/notes")),
    "a site over the record": Kind(partial(_settings, "site_dir: state")),
    "a site over everything": Kind(partial(_settings, "site_dir: .")),
    "a theme of the clone": Kind(partial(_settings, "theme:\n  name: null\n  custom_dir: ci\n  static_templates: [evil.py, ../../home/target]")),
    "snippets of a home": Kind(partial(_settings, "markdown_extensions:\n  - pymdownx.snippets:\n      base_path: [{1}]\n      auto_append: [target]\n      url_download: true")),
    "modules": Kind(_modules),
    "templates of all pages": Kind(partial(_templates, "pages/_each.html")),
    "templates of a game": Kind(partial(_templates, f"games/{GAME}/index.html")),
    "templates of the theme": Kind(partial(_templates, "main.html")),
    "a template without end": Kind(_endless_template),
    "pages by hand": Kind(_markdown),
}  # fmt: skip
