"""What another machine needs to have this grader as it is here: a wheel of it, and the versions of
what is installed.

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

from packaging.utils import canonicalize_name

from ..options import SHIPPED_BANK, course_bank

NAME = "pytest-backprop"
PACKAGE = Path(__file__).parent.parent
WHEEL = f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def wheel() -> tuple[str, bytes]:
    """Name and content of a wheel of the package that is running."""
    distribution = metadata.distribution(NAME)
    roots = {"pytest_backprop": PACKAGE}
    if not SHIPPED_BANK.is_dir():
        roots["pytest_backprop/variants"] = course_bank()
    files = {
        f"{name}/{path.relative_to(root).as_posix()}": path.read_bytes()
        for name, root in roots.items()
        for path in sorted(root.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    info = f"pytest_backprop-{distribution.version}.dist-info"
    for name in ("METADATA", "entry_points.txt"):
        files[f"{info}/{name}"] = (distribution.read_text(name) or "").encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    rows = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""]).encode()
    return f"pytest_backprop-{distribution.version}-py3-none-any.whl", zipped(files)


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


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


def installed_versions() -> dict[str, str]:
    """The version of each package that is installed here, without the name of a build: which build
    it is (`+cpu`) is up to the index."""
    return {
        canonicalize_name(each.name): each.version.partition("+")[0]
        for each in metadata.distributions()
    }
