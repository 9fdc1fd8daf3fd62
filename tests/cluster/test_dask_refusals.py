"""Whom a run on a Dask cluster refuses, before anything is graded, and what it says then."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from dask_cluster import DaskCluster
from judge_setup import judge_setup
from plugin_samples import RIGHT, Run, grade_folder
from test_dask_losses import of_another_version

from pytest_backprop.cluster.client import Cluster
from pytest_backprop.cluster.workers import ClusterSetup, Enrolled
from pytest_backprop.grading.judge.protocol import Usage
from pytest_backprop.processes import sandbox

pytestmark = pytest.mark.long

FILES: dict[str, str | bytes] = {"a_v1.py": RIGHT}


def is_refused(run: Run, *words: str) -> None:
    assert run.code == pytest.ExitCode.USAGE_ERROR, run.out + run.err
    for word in words:
        assert word in run.err
    assert not (run.folder / "report.json").exists()


def test_a_worker_of_another_version(tmp_path: Path) -> None:
    cluster = DaskCluster(tmp_path / "cluster")
    try:
        cluster.worker("--no-nanny", environment=of_another_version(tmp_path / "other"))
        run = grade_folder(tmp_path, FILES, cluster.executor)
    finally:
        cluster.close()
    is_refused(run, "install there what is here and start it again")
    assert re.search(
        r"the Dask worker tcp://127\.0\.0\.1:\d+ has another version: pytest-backprop \S+ \(here \S+\)\n",
        run.err,
    )


OLD_KERNEL = """
import os, sys, errno, pyseccomp
rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "landlock_create_ruleset")
rules.load()
os.execv(sys.executable, [sys.executable, "-m", "dask", *sys.argv[1:]])
"""


@pytest.mark.skipif(not sandbox.is_full(sandbox.probe()), reason="nothing to take away here")
def test_a_worker_with_less_of_a_sandbox_than_is_required(tmp_path: Path) -> None:
    """pytest's own machine has all of it: what counts is where students' code runs."""
    cluster = DaskCluster(tmp_path / "cluster")
    try:
        cluster.worker("--no-nanny", start=(sys.executable, "-c", OLD_KERNEL))
        words = (cluster.executor, "--backprop-sandbox=require")
        run = grade_folder(tmp_path, FILES, *words)
        is_refused(
            run, "'require', but the Dask worker tcp://127.0.0.1:", "'seccomp + limits' only"
        )
        told = grade_folder(tmp_path, FILES, cluster.executor)
    finally:
        cluster.close()
    assert told.code == pytest.ExitCode.OK, told.out + told.err
    assert "backprop: sandbox seccomp + limits;" in told.out


def test_no_scheduler(tmp_path: Path) -> None:
    run = grade_folder(tmp_path, FILES, "--backprop-executor=dask:tcp://127.0.0.1:9")
    is_refused(run, "no Dask scheduler answers at tcp://127.0.0.1:9", "`dask scheduler`")


def test_an_address_that_is_none(tmp_path: Path) -> None:
    run = grade_folder(tmp_path, FILES, "--backprop-executor=dask:smoke://signal")
    is_refused(run, "no Dask scheduler answers at smoke://signal")


MISSING = "import sys\nsys.modules['distributed'] = None\n"


def test_the_package_is_not_installed(tmp_path: Path) -> None:
    run = grade_folder(
        tmp_path, FILES, "--backprop-executor=dask:tcp://127.0.0.1:9", missing=MISSING
    )
    is_refused(run, "needs the package distributed", "pip install distributed")


CHECKING = "def pytest_backprop_checks(config):\n    return []\n"
NAMING = "def pytest_backprop_grade(config, grade):\n    return None\n"


@pytest.mark.parametrize("text", [CHECKING, NAMING])
def test_a_plugin_whose_functions_cannot_be_sent(text: str, tmp_path: Path) -> None:
    """What changes a finished grade runs here, and is as good as ever."""
    words = "--backprop-executor=dask:tcp://127.0.0.1:9"
    run = grade_folder(tmp_path, FILES, words, naming_things=text)
    if text == NAMING:
        is_refused(run, "no Dask scheduler answers")
        return
    is_refused(run, "the plugin naming_things adds to grading", "leave the plugin out")


def test_workers_of_xdist(tmp_path: Path) -> None:
    run = grade_folder(tmp_path, FILES, "-n2", "--backprop-executor=dask:tcp://127.0.0.1:9")
    is_refused(run, "--backprop-executor dask:tcp://127.0.0.1:9 and -n", "leave -n out")


VERSIONS: dict[str, str | None] = {
    "pytest-backprop": "1.0+ab",
    "torch": "2.13.0",
    "python": "3.11.7",
}
FULL = "landlock-abi7 + seccomp + limits"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            Enrolled(1, VERSIONS | {"torch": "2.12.0", "python": "3.12.1"}, FULL),
            "the Dask worker tcp://n1:1 has another version: torch 2.12.0 (here 2.13.0), python 3.12.1 (here "
            "3.11.7)",
        ),
        (
            Enrolled(1, VERSIONS, "limits"),
            "the Dask worker tcp://n1:1 has another version: sandbox limits (here landlock-abi7 + seccomp + limits)",
        ),
        (
            ModuleNotFoundError("No module named 'pytest_backprop'"),
            "the Dask worker tcp://n1:1 cannot grade: ModuleNotFoundError: No module named 'pytest_backprop'",
        ),
        (Usage("no onnx", "install it"), "the Dask worker tcp://n1:1 cannot grade: no onnx"),
    ],
)
def test_what_is_said_of_a_worker(
    answer: Enrolled | Usage | Exception, message: str, tmp_path: Path
) -> None:
    setup = ClusterSetup(judge_setup(tmp_path), "bank", {}, VERSIONS)
    ignored: Any = None
    cluster = Cluster("tcp://n0:1", setup, False, ignored, ignored, ignored, ignored)
    cluster.sandbox = FULL
    data = answer if isinstance(answer, Exception) else msgspec.msgpack.encode(answer)
    problem = cluster._refusal("tcp://n1:1", data)
    assert problem is not None
    assert problem.message == message
    assert problem.way_out
