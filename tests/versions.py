"""Corpora, worker and plugin under other versions of torch and Python: `make test-versions`.

One environment at a time, in a temporary folder, removed before the next: with CUDA a torch takes 5.5 GB. What cannot
be had here is told in a line; a table comes at the end. With words, those environments alone: `3.11/2.14.1 3.12`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

OLDEST, NEWEST = "2.13.0", "2.14.1"
"""What `pyproject.toml` allows, from end to end (tests/test_house.py)."""
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
"""Tried where they are to be had, also those that it does not allow yet."""

PARTS = {
    "corpora": sorted(
        str(path.relative_to(ROOT))
        for room in ("grading", "exercises")
        for path in (ROOT / "tests" / room).glob("test_*corpus.py")
    ),
    "processes": ["tests/processes"],
    "plugin": ["tests/session"],
}


class Environment(NamedTuple):
    """A Python and a torch."""

    python: str
    torch: str

    def __str__(self) -> str:
        return f"{self.python}/{self.torch}"


ENVIRONMENTS = (
    Environment(PYTHONS[0], OLDEST),
    *(Environment(python, NEWEST) for python in PYTHONS),
)


class Absent(Exception):
    """Something that cannot be had here."""


def interpreter(version: str) -> Path:
    """A Python of this version: on the path, or one of pyenv's. Raises Absent."""
    onpath = shutil.which(f"python{version}")
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for place in (onpath, *sorted(pyenv.glob(f"{version}*/bin/python"), reverse=True)):
        if (
            place
            and not subprocess.run(
                [place, "-c", "import venv, ensurepip"], capture_output=True
            ).returncode
        ):
            return Path(place)
    raise Absent(f"there is no interpreter python{version}")


def pip(python: Path, *arguments: str) -> str:
    """Runs pip, and gives what it wrote. Raises Absent with its last line where it fails."""
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise Absent((lines or ["pip failed"])[0])
    return done.stdout


def install(environment: Environment, folder: Path) -> Path:
    """Its interpreter, with torch, the plugin and what tests need. Raises Absent."""
    subprocess.run([interpreter(environment.python), "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    pip(python, "install", "-q", f"torch=={environment.torch}")
    name = "import importlib.metadata as m; print(*(d.name for d in m.distributions()))"
    there = subprocess.run([python, "-c", name], capture_output=True, text=True, check=True)
    own = {each.lower().replace("_", "-") for each in there.stdout.split()}
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if line.partition("==")[0].lower().replace("_", "-") not in own]
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(kept), encoding="utf-8")
    pip(python, "install", "-q", "-c", str(constraints), "--ignore-requires-python", "-e", ".[dev]")
    return python


def tested(python: Path, paths: list[str], sampled: bool) -> str:
    """The last line of pytest's on these tests, or its exit status."""
    marks = ["-m", "not long"] if sampled else []
    command = [
        str(python),
        "-m",
        "pytest",
        "-q",
        "-n",
        "2",
        "--dist",
        "loadscope",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run([*command, *marks, *paths], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    for line in lines:
        if line.startswith(("FAILED", "ERROR")):
            print(f"  {line}", flush=True)
    told = lines[-1].strip("= ") if lines else ""
    return told if done.returncode in (0, 1) else f"exit status {done.returncode}: {told}"


def outcomes(environment: Environment, sampled: bool) -> Iterator[tuple[str, str]]:
    """Each part of the tests with its outcome, in an environment that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="backprop-versions-") as folder:
        try:
            python = install(environment, Path(folder))
        except Absent as reason:
            yield "not to be had", str(reason)
            return
        for part, paths in PARTS.items():
            yield part, tested(python, paths, sampled)


def main() -> int:
    """Exit status 1 where a test failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help="environments, as 3.11/2.14.1, or Pythons")
    parser.add_argument("--sample", action="store_true", help="leave out what takes minutes")
    asked = parser.parse_args()
    rows = []
    for environment in ENVIRONMENTS:
        if asked.only and not {str(environment), environment.python} & set(asked.only):
            continue
        for part, told in outcomes(environment, asked.sample):
            print(f"{environment} {part}: {told}", flush=True)
            rows.append((str(environment), part, told))
    print("\nPython/torch  tests          outcome")
    for name, part, told in rows:
        print(f"{name:<13} {part:<14} {told}")
    return int(any("failed" in told or "error" in told or "exit" in told for _, _, told in rows))


if __name__ == "__main__":
    sys.exit(main())
