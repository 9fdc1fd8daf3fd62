"""What another machine needs to have this grader as it is here: a wheel of it, and pinned packages.

The package may not be on an index, and a course may use a version of its own: so the files that run
here are packed, from a checkout as well as from an installation.
"""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ..options import SHIPPED_BANK, course_bank

NAME = "pytest-backprop"
PACKAGE = Path(__file__).parent.parent
LINUX = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
"""Where an autograder runs, wherever it is packed."""
GPU = ("nvidia-", "cuda-", "triton")
"""What torch needs to compute on a GPU: gigabytes, and its CPU build does without."""
WHEEL = f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def wheel() -> tuple[str, bytes]:
    """Name and content of a wheel of the package that is running."""
    distribution = metadata.distribution(NAME)
    files = {f"pytest_backprop/{name}": path.read_bytes() for name, path in _code(PACKAGE)}
    if not SHIPPED_BANK.is_dir():
        for name, path in _code(course_bank()):
            files[f"pytest_backprop/variants/{name}"] = path.read_bytes()
    info = f"pytest_backprop-{distribution.version}.dist-info"
    for name in ("METADATA", "entry_points.txt"):
        files[f"{info}/{name}"] = (distribution.read_text(name) or "").encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    rows = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""]).encode()
    return f"pytest_backprop-{distribution.version}-py3-none-any.whl", zipped(files)


def zipped(files: dict[str, bytes], executable: Iterable[str] = ()) -> bytes:
    """A zip file that is the same for the same content; `executable` are names of scripts."""
    out = io.BytesIO()
    scripts = set(executable)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)  # in 1980, as zip files begin
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # the mode is Unix's
            entry.external_attr = (0o100755 if name in scripts else 0o100644) << 16
            archive.writestr(entry, content)
    return out.getvalue()


def pins(*extras: str) -> list[str]:
    """The packages that the grader and its `extras` need on Linux, at the versions installed here,
    torch left out; a package that is not installed here is named without a version."""
    pinned: dict[str, str] = {}
    todo = [(text, extras) for text in metadata.distribution(NAME).requires or []]
    while todo:
        text, asked = todo.pop()
        requirement = Requirement(text)
        name = canonicalize_name(requirement.name)
        if name in pinned or name.startswith(GPU) or not _wanted(requirement, asked):
            continue
        try:
            distribution = metadata.distribution(requirement.name)
        except metadata.PackageNotFoundError:
            pinned[name] = f"{name}{requirement.specifier}"
            continue
        pinned[name] = f"{name}=={distribution.version.partition('+')[0]}"
        todo += [(text, tuple(requirement.extras)) for text in distribution.requires or []]
    pinned.pop("torch", None)
    return [pinned[name] for name in sorted(pinned)]


def _wanted(requirement: Requirement, extras: tuple[str, ...]) -> bool:
    return requirement.marker is None or any(
        requirement.marker.evaluate({**LINUX, "extra": extra}) for extra in ("", *extras)
    )


def torch_pin() -> str:
    """torch at the version installed here; which build of it is the index's affair."""
    return f"torch=={metadata.version('torch').partition('+')[0]}"


def _code(folder: Path) -> list[tuple[str, Path]]:
    return [
        (path.relative_to(folder).as_posix(), path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    ]


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
