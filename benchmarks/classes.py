"""What one more submission costs in a class, through real pytest, as the class grows: by one judge, as it is, and with
xdist.

    python benchmarks/classes.py [SMALL LARGE ...]

Prints, for each way to grade and each two sizes that follow one another, the seconds and the memory of the largest
process (pytest's, or a judge) for each further submission, beside a bare fork of a process with torch that runs the assignment's ten points, timed
before and after each run. The class is that of `examples/class`, copied: right ones, wrong ones, notebooks and files.
"""

from __future__ import annotations

import itertools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import speed

SIZES = (20, 120)
WAYS = {
    "one judge": ("-n", "0", "--backprop-executor", "local:1"),
    "as it is": ("-n", "0"),
    "xdist -n 2": ("-n", "2"),
}
"""How a class is graded, and pytest's options for it."""
FORKS = 60
CLASS = sorted(speed.SUBMISSION.parent.iterdir())


def make(folder: Path, size: int) -> Path:
    """A class of so many submissions, each with a text of its own."""
    made = folder / str(size)
    made.mkdir()
    for number, path in zip(range(size), itertools.cycle(CLASS)):
        copy = made / f"{number:05}_{path.name}"
        shutil.copyfile(path, copy)
        if path.suffix == ".py":
            copy.write_text(f"{path.read_text('utf-8')}\n# {number}\n", "utf-8")
    return made


def graded(folder: Path, options: Sequence[str]) -> tuple[float, float]:
    """Seconds of a run of pytest on a folder, and the bytes that it or one of its processes had at most."""
    command = [sys.executable, "-m", "pytest", "-q", "--backprop", str(folder), *options,
               "--backprop-report", f"json:{folder}.json", "-p", "no:cacheprovider",
               "-p", "no:hypothesispytest"]  # fmt: skip
    used: list[float] = []

    def run() -> None:
        process = subprocess.Popen(command, cwd=folder.parent, stdout=subprocess.DEVNULL)
        _, status, resources = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            raise SystemExit(f"pytest ended with {status}")
        used.append(resources.ru_maxrss * 1024)

    return speed.seconds(run), used[0]


def main(sizes: tuple[int, ...]) -> None:
    import torch

    torch.set_num_threads(1)
    source = speed.assignment_text()

    def forks() -> float:
        return statistics.median(speed.seconds(lambda: speed.bare(source)) for _ in range(FORKS))

    print(f"$ python benchmarks/classes.py {' '.join(map(str, sizes))}")
    print(
        f"{'class':>14} {'graded':>10} {'one more':>10} {'bare fork':>10} {'ratio':>6} {'memory':>10}"
    )
    with tempfile.TemporaryDirectory() as name:
        folders = {size: make(Path(name), size) for size in sizes}
        for way, options in WAYS.items():
            before, (seconds, memory) = forks(), graded(folders[sizes[0]], options)
            for small, large in itertools.pairwise(sizes):
                more, above = graded(folders[large], options)
                after, count = forks(), large - small
                each, fork = (more - seconds) / count, statistics.mean((before, after))
                print(f"{f'{small}:{large}':>14} {way:>10} {each * 1e3:7.1f} ms {fork * 1e3:7.1f} ms "
                      f"{each / fork:6.2f} {(above - memory) / count / 1e3:7.1f} KB", flush=True)  # fmt: skip
                before, seconds, memory = after, more, above


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
