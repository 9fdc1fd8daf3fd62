"""What a student starts hooks from: the model, two empty functions, and a cell that tries them; and the hooks."""

from __future__ import annotations

from typing import Final

from pytest_backprop.exercises.functions.typed_task import MatrixVariant
from pytest_backprop.exercises.saved_tensor_hooks.task import DEFAULT_THRESHOLD
from pytest_backprop.messages import say

from ..cells import Cell, code, markdown, unwritten
from ..functions.template import function_text

IMPORTS: Final = "import os\nimport tempfile\n\nimport torch\nfrom torch.nn import functional as F"

ANSWER: Final = """SAVE_ON_DISK_THRESHOLD = {threshold}


class SelfDeletingTempFile:
    def __init__(self):
        handle, self.name = tempfile.mkstemp(suffix=".pt")
        os.close(handle)

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    if x.numel() < SAVE_ON_DISK_THRESHOLD:
        return x.detach()
    temp_file = SelfDeletingTempFile()
    torch.save(x.detach(), temp_file.name)
    return temp_file


def unpack_hook(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    return torch.load(packed.name)"""


def _threshold(variant: MatrixVariant) -> int:
    limit: int = getattr(variant.task, "threshold", DEFAULT_THRESHOLD)
    return limit


def class_text(variant: MatrixVariant, explain: bool = False) -> str:
    """The hooks of a task; there is nothing in them to be told step by step."""
    return ANSWER.format(threshold=_threshold(variant))


def template_cells(variant: MatrixVariant) -> tuple[list[Cell], list[Cell]]:
    """The cells before the one that grades the notebook; there are none after it."""
    limit = _threshold(variant)
    told = [
        "# " + say("Saved tensors on disk: variant {name}", name=variant.name),
        "",
        "1. " + say("Write `pack_hook` and `unpack_hook` for the tensors that autograd saves of the model below."),
        "2. " + say("A tensor of {limit} elements or more goes to a file of its own, which nobody else can read; a "
                    "smaller one stays in memory.", limit=limit),
        "3. " + say("What `pack_hook` returns holds the file: it is gone when the graph is gone, also without a "
                    "backward, or when one raises."),
        "4. " + say("`unpack_hook` may be called more than once, and returns the tensor as it was: numbers, dtype and "
                    "shape."),
    ]  # fmt: skip
    skeleton = "\n".join(
        [
            f"SAVE_ON_DISK_THRESHOLD = {limit}",
            "",
            "",
            "def pack_hook(x):",
            unwritten("pack_hook").replace("        ", "    ", 1),
            "",
            "",
            "def unpack_hook(packed):",
            unwritten("unpack_hook").replace("        ", "    ", 1),
        ]
    )
    tried = "\n".join(
        [
            f"x = torch.randn({limit}, requires_grad=True)",
            "with torch.autograd.graph.saved_tensors_hooks(pack_hook, unpack_hook):",
            "    y = (x * x).sum()",
            "print(os.listdir(tempfile.gettempdir()))",
            "y.backward()",
            "print(torch.equal(x.grad, 2 * x), os.listdir(tempfile.gettempdir()))",
        ]
    )
    cells = [
        markdown("\n".join(told)), code(IMPORTS), code(function_text(variant)),
        markdown("## " + say("Your hooks")), code(skeleton),
        markdown("## " + say("Try it yourself")), code(tried),
    ]  # fmt: skip
    return cells, []
