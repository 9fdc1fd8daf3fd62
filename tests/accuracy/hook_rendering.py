"""How hooks for saved tensors are written: where a tensor goes, what the file is called, how it is removed, what the
hooks look like; and the faults of each."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

MADE = "handle, self.name = tempfile.mkstemp()\nos.close(handle)"
WRITES = {
    "torch": ("torch.save(x.detach(), self.name)", "torch.load(self.name)"),
    "torch, as it is": ("torch.save(x, self.name)", "torch.load(self.name, weights_only=True)"),
    "stream": (
        "with open(self.name, 'r+b') as file:\n    torch.save(x.detach(), file)",
        "torch.load(self.name, map_location='cpu')",
    ),
    "dict": ("torch.save({'x': x.detach().clone()}, self.name)", "torch.load(self.name)['x']"),
    "numpy": (
        "with open(self.name, 'wb') as file:\n    np.save(file, x.detach().numpy())",
        "torch.from_numpy(np.load(self.name))",
    ),
    "npz": (
        "with open(self.name, 'wb') as file:\n    np.savez(file, x=x.detach().numpy())",
        "torch.tensor(np.load(self.name)['x'])",
    ),
    "bytes": (
        "self.about = x.detach().numpy().dtype, tuple(x.shape)\nx.detach().contiguous().numpy().tofile(self.name)",
        "torch.from_numpy(np.fromfile(self.name, self.about[0]).reshape(self.about[1]))",
    ),
    "path": (
        "self.dtype, self.shape = x.dtype, x.shape\nPath(self.name).write_bytes(x.detach().numpy().tobytes())",
        "torch.frombuffer(bytearray(Path(self.name).read_bytes()), dtype=self.dtype).reshape(self.shape)",
    ),
    "memory map": (
        "array = x.detach().numpy()\nself.map = np.memmap(self.name, array.dtype, 'r+', shape=array.shape)\n"
        "self.map[...] = array",
        "torch.from_numpy(self.map)",
    ),
    "gzip": (
        "with gzip.open(self.name, 'wb', 1) as file:\n    pickle.dump(x.detach().numpy(), file)",
        "torch.from_numpy(pickle.load(gzip.open(self.name)))",
    ),
    "buffer": (
        "buffer = io.BytesIO()\ntorch.save(x.detach(), buffer)\n"
        "with open(self.name, 'wb') as file:\n    file.write(buffer.getvalue())",
        "torch.load(io.BytesIO(open(self.name, 'rb').read()))",
    ),
}  # fmt: skip
"""Ways to write, and to read."""
NAMES = {
    "mkstemp": MADE,
    "mkdtemp": "self.name = tempfile.mkdtemp() + '/x'\nopen(self.name, 'wb').close()",
    "named file": "file = tempfile.NamedTemporaryFile(delete=False)\nfile.close()\nself.name = file.name",
    "os.open": "self.name = os.path.join(tempfile.gettempdir(), uuid.uuid4().hex)\n"
               "os.close(os.open(self.name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))",
    "chmod": "self.name = os.path.join(tempfile.gettempdir(), str(uuid.uuid4()))\n"
             "open(self.name, 'wb').close()\nos.chmod(self.name, 0o600)",
    "umask": "self.name = f'{tempfile.gettempdir()}/{uuid.uuid4()}.pt'\nbefore = os.umask(0o077)\n"
             "open(self.name, 'wb').close()\nos.umask(before)",
    "uuid in a folder": "self.name = os.path.join(FOLDER, f'{uuid.uuid4()}.pt')\nopen(self.name, 'wb').close()",
    "counter in a folder": "self.name = os.path.join(FOLDER, f'{next(NUMBERS)}.pt')\nopen(self.name, 'wb').close()",
    "touch": "self.name = str(Path(tempfile.gettempdir()) / uuid.uuid1().hex)\nPath(self.name).touch(0o600)",
}  # fmt: skip
REMOVES = {
    "asks first": "def __del__(self):\n    if os.path.exists(self.name):\n        os.remove(self.name)",
    "plain": "def __del__(self):\n    os.unlink(self.name)",
    "suppressed": "def __del__(self):\n    with contextlib.suppress(OSError):\n        os.unlink(self.name)",
    "path": "def __del__(self):\n    Path(self.name).unlink(missing_ok=True)",
    "finalizer": "",
}
LIMITS = ("x.numel() < LIMIT", "not x.numel() >= LIMIT", "math.prod(x.shape) < LIMIT", "x.nelement() < LIMIT",
          "LIMIT > x.shape.numel()", "len(x.reshape(-1)) < LIMIT", "x.numel() <= LIMIT - 1")  # fmt: skip
SMALL = ("x", "x.detach()", "x.detach().clone()")
FORMS = ("early return", "early file", "one expression", "a tagged tuple", "methods", "a partial", "typed, match",
         "no_grad", "a dict of objects")  # fmt: skip


class Style(NamedTuple):
    """A way of writing."""

    written: str
    name: str
    removed: str
    limit: str
    small: str
    form: str

    @property
    def names(self) -> str:
        """For the table of styles."""
        told = zip(("write", "name", "remove", "limit", "small", "form"), self, strict=True)
        return " + ".join(f"{part}: {how}" for part, how in told)


def draw_style(random: Random) -> Style:
    """One of all."""
    choices = (WRITES, NAMES, REMOVES, LIMITS, SMALL, FORMS)
    return Style(*(random.choice(list(names)) for names in choices))


class Fault(NamedTuple):
    """Parts that a fault writes otherwise; the check that has to find it, whether plain torch sees it there, and the
    checks that it may take along."""

    breaks: str
    parts: Mapping[str, str]
    seen: bool = True
    along: frozenset[str] = frozenset()


REST = frozenset(("threshold", "release", "files"))
GONE = frozenset(("release", "files"))
NAMED = frozenset(("gradient", "threshold", "release"))
SHARED = "\nopen(self.name, 'ab').close()"
DELETES = "def __del__(self):\n    if os.path.exists(self.name):\n        os.remove(self.name)"
FAULTS: Mapping[str, Fault] = {
    "above, not at": Fault("threshold", {"limit": "x.numel() <= LIMIT"}),
    "bytes for elements": Fault("threshold", {"limit": "x.numel() * x.element_size() < LIMIT"}),
    "one too few": Fault("threshold", {"limit": "x.numel() < LIMIT - 1"}),
    "all on disk": Fault("threshold", {"limit": "x.numel() < 0"}),
    "none on disk": Fault("threshold", {"limit": "True"}, along=GONE),
    "other limit": Fault("threshold", {"limit": "x.numel() < 2 * LIMIT"}, along=GONE),
    "other way round": Fault("threshold", {"limit": "x.numel() >= LIMIT"}, along=GONE),
    "kept on the object": Fault("threshold", {"after": "self.x = x.detach()"}, False),
    "copy in a list": Fault("threshold", {"after": "KEPT.append(x.detach().clone())"}, False),
    "read from memory": Fault("threshold", {"after": "self.x = x.detach()", "read": "self.x"}, False),
    "memory if the file fails": Fault("threshold", {
        "after": "self.x = x.detach()", "load": "try:\n    return {read}\nexcept Exception:\n    return self.x"}, False),
    "empty files": Fault("threshold", {"save": "self.x = x.detach()", "read": "self.x"}, False),
    "header alone": Fault("threshold", {"save": "torch.save(x.shape, self.name)\nself.x = x.detach()", "read": "self.x"}, False),
    "nobody removes": Fault("release", {"remove": "kept = True"}),
    "close alone": Fault("release", {"remove": "def close(self):\n    os.remove(self.name)"}),
    "misspelt": Fault("release", {"remove": "def __delete__(self):\n    os.remove(self.name)"}),
    "objects in a list": Fault("release", {"after": "KEPT.append(self)", "remove": DELETES}),
    "finalizer holds it": Fault("release", {
        "after": "weakref.finalize(self, self.close)", "remove": "def close(self):\n    os.remove(self.name)"}),
    "at exit": Fault("release", {"after": "atexit.register(os.remove, self.name)", "remove": "kept = True"}),
    "removed by unpack": Fault("release", {
        "remove": "kept = True", "load": "x = {read}.clone()\nos.remove(self.name)\nreturn x"}, False, frozenset({"gradient"})),
    "held by a closure": Fault("release", {"after": "HELD[self.name] = lambda: self", "remove": DELETES}),
    "to float32": Fault("gradient", {"read": "({read}).float()"}, along=REST),
    "to half": Fault("gradient", {"read": "({read}).half().to(({read}).dtype)"}, along=REST),
    "a little more": Fault("gradient", {"read": "({read}) + 1e-3"}, along=REST),
    "rounded": Fault("gradient", {"read": "({read}).double().round(decimals=2).to(({read}).dtype)"}, along=REST),
    "first for all": Fault("gradient", {"read": "({read}).flatten()[:1].expand(({read}).shape)"}, along=REST),
    "zeros": Fault("gradient", {"read": "torch.zeros_like({read})"}, along=REST),
    "backwards": Fault("gradient", {"read": "({read}).flip(0)"}, along=REST),
    "gives the file": Fault("gradient", {"read": "self.name"}, along=REST),
    "gives an array": Fault("gradient", {"read": "({read}).numpy()"}, along=REST),
    "returns nothing": Fault("gradient", {"load": "{read}"}, along=REST),
    "one name": Fault("files", {"name": "self.name = os.path.join(FOLDER, 'x')" + SHARED, "remove": DELETES}, False, NAMED),
    "name by shape": Fault("files", {
        "name": "self.name = os.path.join(FOLDER, str(tuple(x.shape)))" + SHARED, "remove": DELETES}, False, NAMED),
    "name by dtype": Fault("files", {
        "name": "self.name = os.path.join(FOLDER, str(x.dtype))" + SHARED, "remove": DELETES}, False, NAMED),
    "counter for all": Fault("files", {
        "name": "self.name = os.path.join(tempfile.gettempdir(), str(next(NUMBERS)))\n"
                "os.close(os.open(self.name, os.O_CREAT | os.O_WRONLY, 0o600))", "remove": DELETES}, False, NAMED),
    "zeroed": Fault("integrity", {"after": "x.detach().zero_()"}, along=REST | {"gradient"}),
    "scaled in place": Fault("integrity", {"before": "x.detach().mul_(2)"}, along=REST | {"gradient"}),
}  # fmt: skip

TOP = """import atexit
import contextlib
import functools
import gzip
import io
import itertools
import math
import os
import pickle
import tempfile
import uuid
import weakref
from pathlib import Path

import numpy as np
import torch

FOLDER = tempfile.mkdtemp()
NUMBERS = itertools.count()
LIMIT = {limit}
KEPT = []
HELD = {{}}


class Saved:
    def __init__(self, x):
{made}

{remove}

    def load(self):
{load}


"""


def written(style: Style, limit: int, fault: Fault | None) -> str:
    """The text."""
    save, read = WRITES[style.written]
    removal = REMOVES[style.removed]
    parts = {
        "before": "", "name": NAMES[style.name], "save": save, "after": "", "remove": removal, "read": "{read}",
        "load": "return {read}", "limit": style.limit,
    }  # fmt: skip
    finalized = not removal and not (fault and "remove" in fault.parts)
    if finalized:
        parts["after"] = "weakref.finalize(self, os.remove, self.name)"
        parts["remove"] = "path = property(lambda self: self.name)"
    for part, text in (fault.parts if fault else {}).items():
        parts[part] = f"{parts[part]}\n{text}" if part == "after" and parts["after"] else text
    read = parts["read"].replace("{read}", read)
    made = "\n".join(parts[p] for p in ("before", "name", "save", "after") if parts[p])
    top = TOP.format(
        limit=limit, made=_in(made, 8), remove=_in(parts["remove"], 4),
        load=_in(parts["load"].replace("{read}", read), 8),
    )  # fmt: skip
    return top + _hooks(style.form, parts["limit"], style.small)


def _in(text: str, spaces: int) -> str:
    return "\n".join(" " * spaces + line if line else "" for line in text.split("\n"))


def _hooks(form: str, limit: str, small: str) -> str:
    """The two functions."""
    unpack = "def unpack_hook(packed):\n    return packed.load() if isinstance(packed, Saved) else packed\n"
    pack = f"def pack_hook(x):\n    if {limit}:\n        return {small}\n    return Saved(x)\n"
    if form == "early file":
        pack = f"def pack_hook(tensor):\n    x = tensor\n    if not ({limit}):\n        return Saved(x)\n    return {small}\n"
        unpack = "def unpack_hook(x):\n    if isinstance(x, torch.Tensor):\n        return x\n    return x.load()\n"
    elif form == "one expression":
        return f"pack_hook = lambda x: {small} if {limit} else Saved(x)\n\n\n{unpack}"
    elif form == "a tagged tuple":
        pack = f"def pack_hook(x):\n    return ('memory', {small}) if {limit} else ('disk', Saved(x))\n"
        unpack = "def unpack_hook(packed):\n    where, what = packed\n    return what.load() if where == 'disk' else what\n"
    elif form == "methods":
        return ("class Hooks:\n    def pack(self, x):\n"
                f"        return {small} if {limit} else Saved(x)\n\n    def unpack(self, packed):\n"
                "        return packed.load() if type(packed) is Saved else packed\n\n\n"
                "hooks = Hooks()\npack_hook, unpack_hook = hooks.pack, hooks.unpack\n")  # fmt: skip
    elif form == "a partial":
        return (f"def _pack(made, x):\n    if {limit}:\n        return {small}\n    return made(x)\n\n\n"
                f"pack_hook = functools.partial(_pack, Saved)\n\n\n{unpack}")  # fmt: skip
    elif form == "typed, match":
        pack = f"def pack_hook(x: torch.Tensor) -> object:\n    if {limit}:\n        return {small}\n    return Saved(x)\n"
        unpack = ("def unpack_hook(packed: object) -> torch.Tensor:\n    match packed:\n        case Saved():\n"
                  "            return packed.load()\n        case _:\n            return packed\n")  # fmt: skip
    elif form == "no_grad":
        pack, unpack = "@torch.no_grad()\n" + pack, "@torch.no_grad()\n" + unpack
    elif form == "a dict of objects":
        pack = f"def pack_hook(x):\n    if {limit}:\n        return {{'x': {small}}}\n    return {{'file': Saved(x)}}\n"
        unpack = "def unpack_hook(packed):\n    return packed['x'] if 'x' in packed else packed['file'].load()\n"
    return f"{pack}\n\n{unpack}"
