"""What the pages say that the code knows better: made from it each time the pages are built.

A page has `<!-- generated: NAME -->` where the text belongs; NAME is a key of `PARTS`. mkdocs calls
`on_page_markdown`, the tests call `expand`.
"""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import yaml

MARK = re.compile(r"^<!-- generated: ([a-z-]+) -->$", re.MULTILINE)
REMARK = re.compile(r"^<!-- .* -->\n", re.MULTILINE)


def expand(markdown: str) -> str:
    """A page's text with its generated parts. Raises KeyError for a part that there is not."""
    return MARK.sub(lambda found: PARTS[found[1]](), markdown)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """mkdocs asks this of each page. Remarks for the tests are left out."""
    return REMARK.sub("", expand(markdown)).lstrip("\n")


def _cell(text: str) -> str:
    return text.replace("\n", " ").strip()  # a `|` stands in code alone, where it needs no escape


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *(tuple(map(_cell, row)) for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def options_table() -> str:
    """Every option of grading."""
    from pytest_backprop.options import HELP, OPTIONS

    rows = []
    for option in OPTIONS:
        text, _, default = HELP[option.field].partition("; default: ")
        if not default and isinstance(option.default, str):
            default = option.default
        given = f"{option.flag} {option.metavar}".strip()
        rows.append((f"`{given}`", f"`{option.ini_key}`", text, default))
    return _table(("option", "ini key", "meaning", "default"), rows)


# -- the report's schema --------------------------------------------------------------------------


def schema_tables() -> str:
    """A table for each object of the report, from the JSON Schema that ships."""
    from pytest_backprop.reports import document

    file = Path(document.__file__).with_name("schema-v1.json")
    schema = json.loads(file.read_text(encoding="utf-8"))
    objects = schema["$defs"]
    parts = []
    for name in _order("Document", objects, []):
        about = objects[name]
        rows = [
            (f"`{key}`", _type(value), value.get("description", ""))
            for key, value in about["properties"].items()
        ]
        head = f"### {name}\n\n{about['description']}\n\n"
        parts.append(head + _table(("key", "type", "meaning"), rows))
    return "\n\n".join(parts)


def _order(name: str, objects: dict[str, Any], seen: list[str]) -> list[str]:
    seen.append(name)
    for value in objects[name]["properties"].values():
        for inner in re.findall(r"#/\$defs/(\w+)", json.dumps(value)):
            if inner not in seen:
                _order(inner, objects, seen)
    return seen


def _type(value: dict[str, Any]) -> str:
    if "$ref" in value:
        name = value["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in value:
        return " or ".join(map(_type, value["anyOf"]))
    if "enum" in value:
        return ", ".join(f"`{item}`" for item in value["enum"])
    if value["type"] == "array":
        return f"list of {_type(value['items'])}"
    return str(value["type"])


# -- hooks ----------------------------------------------------------------------------------------


def hooks() -> str:
    """Every hook, as its docstring has it; the example that ends it as a block of Python."""
    from pytest_backprop import hookspecs

    parts = []
    for name, function in inspect.getmembers(hookspecs, inspect.isfunction):
        if not name.startswith("pytest_backprop_"):
            continue
        text = inspect.getdoc(function) or ""
        prose, _, example = re.split(r"\n\n(?=(    ))", text, maxsplit=1)
        signature = f"{name}{inspect.signature(function, eval_str=False)}".replace("'", "")
        parts.append(
            f"### {name}\n\n```python\ndef {signature}: ...\n```\n\n{prose}\n\n"
            f"~~~python\n{textwrap.dedent(example)}\n~~~"
        )
    return "\n\n".join(parts)


# -- commands -------------------------------------------------------------------------------------


def commands() -> str:
    """The help of every subcommand of `backprop`."""
    from pytest_backprop.cli import OWN, main

    return "\n\n".join(
        f"### {name}\n\n{'' if name.split()[1] in OWN else AUTHORING}```text\n{text}\n```"
        for name, text in _helps(main, "backprop")
    )


AUTHORING = "Of `pytest-backprop-authoring`, for instructors.\n\n"


def _helps(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
    context = click.Context(command, info_name=name, max_content_width=79, terminal_width=79)
    if not isinstance(command, click.Group):
        yield name, command.get_help(context)
        return
    for inner in command.list_commands(context):
        one = command.get_command(context, inner)
        assert one is not None, inner
        yield from _helps(one, f"{name} {inner}")


# -- the action of GitHub -------------------------------------------------------------------------


def action_table() -> str:
    """What it takes and what it puts out, from its file."""
    action = yaml.safe_load((Path(__file__).parent.parent / "action.yml").read_text("utf-8"))
    rows = [
        (f"`{name}`", kind, about["description"], str(about.get("default", "")))
        for kind in ("inputs", "outputs")
        for name, about in action[kind].items()
    ]
    return _table(("name", "of", "meaning", "default"), rows)


PARTS = {
    "action-table": action_table,
    "options": options_table,
    "report-schema": schema_tables,
    "hooks": hooks,
    "commands": commands,
}
