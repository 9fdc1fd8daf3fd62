"""What one more submission costs in a class, through real pytest, as the class grows: by one judge, and as it is.

    python benchmarks/classes.py [SMALL LARGE ...]

Prints, for each way to grade and each two sizes that follow one another, what each further submission takes: time, a
processor's time in all processes together, and memory of the largest of them (pytest's, or a judge). Beside it the
same of a bare fork of a process with torch that runs the assignment's ten points, before and after each run. The class is that of `examples/class`, copied: right ones, wrong ones, notebooks and files.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import speed

SIZES = (20, 120)
WAYS = {"one judge": ("--backprop-executor", "local:1"), "as it is": ()}
"""How a class is graded, and pytest's options for it."""
FORKS = 60
CLASS = sorted(speed.SUBMISSION.parent.iterdir())


class Taken(NamedTuple):
    """Seconds of the wall's clock and of a processor, and bytes."""

    wall: float
    processor: float
    memory: float = 0.0


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


def graded(folder: Path, options: Sequence[str]) -> Taken:
    """What a run of pytest on a folder takes: its processes together, and the memory of the largest."""
    command = [sys.executable, "-m", "pytest", "-q", "--backprop", str(folder), *options,
               "--backprop-report", f"json:{folder}.json", "-p", "no:cacheprovider",
               "-p", "no:hypothesispytest"]  # fmt: skip
    start, before = time.perf_counter(), processor()
    process = subprocess.Popen(command, cwd=folder.parent, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"pytest ended with {status}")
    with contextlib.suppress(ChildProcessError):
        while os.wait():  # judges that pytest left to end by themselves
            continue
    return Taken(wall, processor() - before, used.ru_maxrss * 1024.0)


def processor() -> float:
    """Seconds of all children that are gone, and of theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def forked(source: str) -> Taken:
    """What one of many bare forks takes."""
    before = processor()
    wall = statistics.median(speed.seconds(lambda: speed.bare(source)) for _ in range(FORKS))
    return Taken(wall, (processor() - before) / FORKS)


def main(sizes: tuple[int, ...]) -> None:
    import torch

    from pytest_backprop.processes.sandbox import PR_SET_CHILD_SUBREAPER, prctl

    prctl(PR_SET_CHILD_SUBREAPER, 1)  # so that it waits for all that a run starts
    torch.set_num_threads(1)
    source = speed.assignment_text()
    print(f"$ python benchmarks/classes.py {' '.join(map(str, sizes))}")
    print(f"{'':25} {'one more':^18} {'bare fork':^18} {'ratio':^11}")
    print(f"{'class':>14} {'graded':>10} {'time':>8} {'processor':>9} {'time':>8} {'processor':>9}"
          f" {'time':>5} {'pr.':>5} {'memory':>10}")  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folders = {size: make(Path(name), size) for size in sizes}
        for way, options in WAYS.items():
            before, fewer = forked(source), graded(folders[sizes[0]], options)
            for small, large in itertools.pairwise(sizes):
                more = graded(folders[large], options)
                after = forked(source)
                wall, processor, memory = (
                    (b - a) / (large - small) for a, b in zip(fewer, more, strict=True)
                )
                fork = Taken(*map(statistics.mean, zip(before, after, strict=True)))
                print(f"{f'{small}:{large}':>14} {way:>10} {wall * 1e3:5.1f} ms {processor * 1e3:6.1f} ms "
                      f"{fork.wall * 1e3:5.1f} ms {fork.processor * 1e3:6.1f} ms {wall / fork.wall:5.2f} "
                      f"{processor / fork.processor:5.2f} {memory / 1e3:7.1f} KB", flush=True)  # fmt: skip
                before, fewer = after, more


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
