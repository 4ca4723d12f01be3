"""`moot schema`: the form of a file, for editors and programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from folkmoot.cli.options import json_option
from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.clone_files import write_whole
from folkmoot.files.schema import json_schema

KINDS = ("rule", "action", "settings", "scenario", "ruleset")


@click.command("schema")
@click.argument("kind", required=False, type=click.Choice(KINDS))
@click.option(
    "-r", "--ruleset", help="Publish the names of a ruleset: its actions, registers, settings, events and codes."
)
@click.option("-o", "--out", type=click.Path(file_okay=False, path_type=Path), help="Write every schema into a folder.")
@json_option
@click.pass_obj
def command(terminal: Terminal, kind: str | None, ruleset: str | None, out: Path | None) -> None:
    """Print the JSON Schema of a kind of file, or the names that a ruleset offers to scenarios.

    An editor that knows YAML shows what each key means, and finds mistakes, where a file begins with a line that names
    its schema. After `moot schema --out schemas` that of a rule is, in a file that lies beside that folder:

    \b
      # yaml-language-server: $schema=schemas/rule.json
    """  # noqa: D301 (the mark keeps the line whole in the help)
    if out:
        for name in KINDS:
            write(out / f"{name}.json", json_schema(name))
        terminal.record({"written": [str(out / f"{name}.json") for name in KINDS]})
        terminal.note(
            f"Wrote {counted(len(KINDS), 'schema')} into {out}. The first line of a rule beside that folder may say:"
        )
        terminal.note(f"# yaml-language-server: $schema={out.name}/rule.json")
    elif ruleset:
        from folkmoot.game.vocabulary import vocabulary

        click.echo(json.dumps(vocabulary(ruleset), ensure_ascii=False, indent=2))
    elif kind:
        click.echo(json.dumps(json_schema(kind), ensure_ascii=False, indent=2))
    else:
        raise click.UsageError(f"Say which: moot schema {'|'.join(KINDS)}, --ruleset NAME, or --out FOLDER.")


def write(path: Path, schema: dict[str, Any]) -> None:
    """Write a schema to a file."""
    write_whole(path, f"{json.dumps(schema, ensure_ascii=False, indent=2)}\n".encode())
