"""A Python that has nothing of what only Linux has, in an environment of its own: so have all that it starts.

`os.fork`, process groups, `resource`, `fcntl` and Landlock are gone, and our code sees no `/proc`. What it
cannot show is in docs/laptop.md: the file system, the loader and the console are Linux's. By hand:

    python tests/elsewhere.py build/elsewhere && build/elsewhere/bin/python -m pytest tests/processes/test_worker.py
"""

from __future__ import annotations

import sys
import sysconfig
import venv
from pathlib import Path

HOOK = '''
import errno
import os
import signal
import sys

import psutil  # has its own ways on each system

for name in ("resource", "fcntl", "landlock"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "killpg", "setsid", "setpgid", "sched_getaffinity", "sched_setaffinity", "mkfifo"):
    delattr(os, name)
for name in ("SIGUSR1", "SIGUSR2", "pthread_sigmask"):
    delattr(signal, name)


def refuse(path):
    """Raises FileNotFoundError where our code, not psutil, asks for it."""
    if not str(path).startswith(("/proc", "/dev/fd", "/sys/fs")):
        return
    frame, names = sys._getframe(2), []
    while frame is not None:
        names.append(frame.f_globals.get("__name__", "").partition(".")[0])
        frame = frame.f_back
    if "psutil" not in names and names and "pytest_backprop" in names[:4]:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def looks(event, args):
    if event in ("open", "os.listdir", "os.scandir"):
        refuse(args[0])


def stat(path, *args, of=os.stat, **named):
    refuse(path)
    return of(path, *args, **named)


sys.addaudithook(looks)
os.stat = stat
'''


def make_elsewhere(folder: Path) -> Path:
    """The interpreter of a new environment, which has the packages of this one."""
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "elsewhere_hook.py").write_text(HOOK, encoding="utf-8")
    folders = dict.fromkeys(sysconfig.get_paths()[key] for key in ("purelib", "platlib"))
    lines = [f"import site; site.addsitedir({path!r})" for path in folders]
    (site / "elsewhere.pth").write_text(
        "\n".join([*lines, "import elsewhere_hook", ""]), encoding="utf-8"
    )
    return folder / "bin" / "python"


if __name__ == "__main__":
    sys.exit(not make_elsewhere(Path(sys.argv[1])))
