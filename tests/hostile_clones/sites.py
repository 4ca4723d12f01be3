"""What a site may be made of, and what would run when it is built; each setting and template has a test of consents."""

from __future__ import annotations

from tests.hostile_clones.ground import GAME, Clone, Kind

CODE = 'import os\nos.system("{0}")\nopen("{0}.python", "w")\n\ndef on_config(config, **_):\n    os.system("{0}")\n    return config\n'
TEMPLATE = (
    "{{{{ self.__init__.__globals__.__builtins__.__import__('os').system('{0}') }}}}"
    "{{{{ cycler.__init__.__globals__.os.system('{0}') }}}}{{{{ lipsum.__globals__['os'].system('{0}') }}}}"
    "{{{{ ''.__class__.__mro__[1].__subclasses__() }}}}{{% include '/etc/passwd' %}}{{% extends '../../../../etc/passwd' %}}"
)


def _hook_changed(clone: Clone) -> None:
    path = clone.root / "ci/site_pages.py"
    before = path.read_text("utf-8") if path.is_file() else ""
    clone.write("ci/site_pages.py", CODE.format(clone.trap("mkdocs")) + before)
    clone.commit()


def _modules(clone: Clone) -> None:
    """Let modules lie where somebody's Python may look first."""
    for name in "folkmoot click msgspec mkdocs yaml jinja2 sitecustomize usercustomize json logging".split():
        for folder in ("", "ci/", "site_src/", f"state/{GAME}/"):
            clone.write(f"{folder}{name}.py", CODE.format(clone.trap(f"module-{name}")))
    clone.write("pyproject.toml", "[tool.x]\n")
    clone.write(".pth", "import os\n")
    clone.commit()


def _markdown(clone: Clone) -> None:
    """Let pages by hand take in what lies outside."""
    trap = clone.trap("page")
    text = f'---\ntemplate: ../../../etc/passwd\n---\n--8<-- "{clone.ground.home}/target"\n\n{TEMPLATE.format(trap)}\n![x](file://{clone.ground.home}/target)\n'
    for name in ("index.md", "guide.md", "404.md"):
        clone.write(f"site_src/{name}", text)
    clone.commit()


def _template(clone: Clone) -> None:
    clone.write("site_src/overrides/pages/_each.html", TEMPLATE.format(clone.trap("template")))
    clone.commit()


KINDS = {
    "a packaged hook that was changed": Kind(_hook_changed),
    "modules": Kind(_modules),
    "pages by hand": Kind(_markdown),
    "templates of all pages": Kind(_template),
}
