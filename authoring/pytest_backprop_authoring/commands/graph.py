"""`backprop graph`: the forward graph of a variant, for task 5 of the assignment and for lectures."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises import BUILT_IN
from pytest_backprop.exercises.functions.bank import Variant, load_bank
from pytest_backprop.exercises.functions.bank.library import kinds_in, usual_first, whole_bank
from pytest_backprop.messages import say
from pytest_backprop.options import course_bank

from ..answers import scalar


@click.command()
@click.argument("variant")
@click.option(
    "--onnx", "onnx_file", type=click.File("wb"), help="Write an ONNX model; - for stdout."
)
@click.option("--tensorboard", "folder", type=click.Path(file_okay=False, path_type=Path),
              help="Write an event file for TensorBoard into a folder.")  # fmt: skip
@click.option("--netron", is_flag=True, help="Open it in Netron, on this machine, until Ctrl-C.")
@click.option("--browser/--no-browser", default=True, help="Open a browser for Netron.")
@click.option("--port", type=click.IntRange(0, 65535), default=0,
              help="Port for Netron; any free one by default.")  # fmt: skip
@click.option("--variants", type=click.Path(path_type=Path), default=None,
              help="Folder of variants; default: the built-in.")  # fmt: skip
def graph(
    variant: str,
    onnx_file: Any,
    folder: Path | None,
    netron: bool,
    browser: bool,
    port: int,
    variants: Path | None,
) -> None:
    """Show the forward graph of VARIANT, such as v8."""
    chosen = _chosen(variant, variants or course_bank())
    if onnx_file or netron:
        chosen = scalar(chosen)
    elif folder is None:
        raise UsageProblem(
            say("there is nothing to do with the graph of {name}", name=chosen.name),
            say("give --onnx FILE, --tensorboard DIR or --netron"),
        )
    if onnx_file:  # made before the file is opened: what cannot be made leaves no empty file
        model = _needing("onnx", _model, chosen)
    if folder is not None:
        _needing("tensorboard", _events, chosen, folder)
    if onnx_file:
        onnx_file.write(model)
    if netron:
        _needing("netron", _serve, chosen, browser, port)


def _needing(package: str, work: Callable[..., Any], *arguments: object) -> Any:
    try:
        return work(*arguments)
    except ModuleNotFoundError as error:
        name = (error.name or package).partition(".")[0]
        raise UsageProblem(
            say("this needs the package {name}", name=name),
            say("install it: `pip install {name}`", name=name),
        ) from None


def _chosen(name: str, folder: Path) -> Variant:
    """A task of a folder, of whichever kind of exercise."""
    kinds = usual_first(kinds_in(folder).values())
    banks = {kind: BUILT_IN[kind].load_bank(folder) for kind in kinds if kind in BUILT_IN}
    return (whole_bank(banks) if banks else load_bank(folder)).get(name)


def _events(variant: Variant, folder: Path) -> None:
    from ..graphs.tensorboard import write_events

    try:
        write_events(variant, folder)
    except OSError as error:
        raise UsageProblem(
            say("{path} cannot be written: {error}", path=folder, error=error.strerror or error),
            say("give --tensorboard a folder in which files may be made"),
        ) from None
    click.echo(
        say("the graph of {name} is written; look at it with tensorboard --logdir {folder}",
            name=variant.name, folder=folder)
    )  # fmt: skip


def _model(variant: Variant) -> bytes:
    from ..graphs.model import model_of

    return bytes(model_of(variant).SerializeToString())


def _serve(variant: Variant, browser: bool, port: int) -> None:
    import netron

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{variant.name}.onnx"
        path.write_bytes(_model(variant))
        # to this machine only
        host, at = netron.start(str(path), address=("localhost", port), browse=browser)
        address = f"http://{host}:{at}"
        click.echo(
            say("{name} is shown at {address} until Ctrl-C", name=variant.name, address=address)
        )
        try:
            netron.wait()
        finally:
            netron.stop()
