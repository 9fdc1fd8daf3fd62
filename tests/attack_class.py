"""A class in which hostile submissions sit among honest ones, and what stands around it to be found,
written over or connected to.

`tests/attacks` holds an attack a file, as `corpus` and `corpus_text` read it, and below `given_up` those that are
paid, which no class has; `@class@`, `@root@`,
`@home@`, `@outside@`, `@port@` and `@socket@` in a text stand for where these are in a run. Of a
verdict's faults, check and kind are compared: the place is the corpus's business.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from corpus import FOLDER, Case, load_case
from plugin_samples import Run, environment, lay_out, pytest_command

from pytest_backprop.processes import sandbox

ATTACKS = Path(__file__).parent / "attacks"
NEIGHBOURS = ("honest_right_v902.py", "honest_wrong_v902.py")
EVERY = 8
"""One honest neighbour after so many attacks."""
SECRETS = {
    "environment": "canary-of-the-environment",
    "home": "canary-of-the-home-folder",
    "roster": "canary-of-the-roster",
    "neighbour": "canary-of-a-neighbour",
}
VARIANT = FOLDER / "bank" / "v902.py"
SHARED_PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/")


def attacks() -> list[Case]:
    """The corpus, by name. Raises BadVerdict."""
    return [load_case(path) for path in sorted(ATTACKS.glob("*.py"))]


def given_up() -> list[Case]:
    """The attacks that the grader no longer looks for, by name: each states what it earns, and why nothing is done
    about it. Raises BadVerdict."""
    return [load_case(path) for path in sorted((ATTACKS / "given_up").glob("*.py"))]


def filled(text: str, places: dict[str, str]) -> str:
    """A text with the places it names."""
    for name, place in places.items():
        text = text.replace(f"@{name}@", place)
    return text


@dataclass
class Class:
    """The folders of one run. `root` is where pytest runs; `links` listens to all of it."""

    root: Path
    home: Path
    outside: Path
    links: Listeners
    neighbours: list[str] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        """Where the submissions are."""
        return self.root / "class"

    def fill(self, cases: Iterable[Case], with_attacks: bool = True) -> None:
        """Lays out the attacks, an honest neighbour after every few, and the secrets."""
        lay_out(self.root, {"variants/v902.py": VARIANT.read_text(encoding="utf-8"),
                            "roster.csv": f"student,submission,variant\n{SECRETS['roster']},a.py,v902\n"})  # fmt: skip
        lay_out(self.home, {"secret.txt": SECRETS["home"]})
        lay_out(self.outside, {"keep": "as it is"})
        places = {
            "class": str(self.folder),
            "root": str(self.root),
            "home": str(self.home),
            "outside": str(self.outside),
            "port": str(self.links.port),
            "socket": self.links.path,
        }
        for number, case in enumerate(cases):
            if with_attacks:
                text = case.path.read_bytes().decode("utf-8", "surrogateescape")
                made = filled(text, places).encode("utf-8", "surrogateescape")
                lay_out(self.folder, {case.path.name: made})
            if number % EVERY == 0:
                which = NEIGHBOURS[number // EVERY % 2]
                stem = case.path.stem.removesuffix("_v902")
                self._neighbour(f"{stem}_next_to_it_v902.py", which)
        self._neighbour("neighbour_a_right_v902.py", NEIGHBOURS[0])

    def _neighbour(self, name: str, which: str) -> None:
        text = (ATTACKS / which).read_text(encoding="utf-8")
        lay_out(self.folder, {name: f"{text}\n# {SECRETS['neighbour']}\n"})
        self.neighbours.append(name)

    def grade(self, *arguments: str) -> Run:
        """Runs pytest on the class, with secrets in its environment."""
        outer = environment(self.root) | {
            "HOME": str(self.home),
            "COURSE_TOKEN": SECRETS["environment"],
        }
        command = pytest_command(
            "--backprop", "class", "-q", "--tb=short", "--backprop-points=256",
            "--backprop-memory=200M", "--backprop-report=json:report.json", *arguments,
        )  # fmt: skip
        done = subprocess.run(command, cwd=self.root, env=outer, capture_output=True, check=False)
        out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        return Run(done.returncode, out, err, self.root)

    def snapshot(self) -> dict[str, tuple[int, int, int, bytes]]:
        """Mode, owner, time and content of all there is, but for the report."""
        found = {}
        for top in (self.root, self.home, self.outside):
            for path in sorted([top, *top.rglob("*")]):
                place = path.relative_to(self.root).parts if path.is_relative_to(self.root) else ()
                if place and place[0] in ("report.json", "report.json.journal"):
                    continue
                status = path.lstat()
                # a folder's time moves with the report that is written into it
                moved = 0 if path == self.root else status.st_mtime_ns
                content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
                found[str(path)] = (status.st_mode, status.st_uid, moved, content)
        return found


class Listeners:
    """A TCP, a UDP and a unix socket that wait for someone to come."""

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp()  # short: a unix socket's path has 108 bytes
        self.path = str(Path(self._folder, "s"))
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))
        self._unix = socket.socket(socket.AF_UNIX)
        self._unix.bind(self.path)
        self._unix.listen()

    def came(self) -> list[str]:
        """Which of them heard something."""
        heard = []
        for name, link in (("tcp", self._tcp), ("udp", self._udp), ("unix", self._unix)):
            link.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                if name == "udp":
                    link.recv(1)
                else:
                    link.accept()[0].close()
                heard.append(name)
        return heard

    def close(self) -> None:
        """Ends them."""
        for link in (self._tcp, self._udp, self._unix):
            link.close()
        shutil.rmtree(self._folder)


@contextlib.contextmanager
def adopting() -> Iterator[list[psutil.Process]]:
    """While it lasts, whatever a run leaves behind becomes a child of this process, also out of
    another session; the list has them afterwards."""
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    left: list[psutil.Process] = []
    sandbox.prctl(sandbox.PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield left
    finally:
        sandbox.prctl(sandbox.PR_SET_CHILD_SUBREAPER, 0)
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                if process.pid not in before and process.status() != psutil.STATUS_ZOMBIE:
                    left.append(process)


def strays() -> list[str]:
    """What the corpus would leave in folders that everybody shares."""
    found = [str(Path(place, "backprop-attack")) for place in SHARED_PLACES]
    return [name for name in found if os.path.lexists(name)]
