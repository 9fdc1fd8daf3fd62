"""Whom a run on a Dask cluster refuses, before anything is graded, and what it says then."""

from __future__ import annotations

import pickle
import re
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import torch
from dask_cluster import DaskCluster
from judge_setup import judge_setup
from msgspec.structs import replace
from plugin_samples import RIGHT, Run, grade_folder
from test_dask_losses import of_another_version

from pytest_backprop.cluster.workers import ClusterSetup, enrol
from pytest_backprop.errors import UsageProblem
from pytest_backprop.processes import sandbox
from pytest_backprop.processes.protocol import Policy
from pytest_backprop.resume import versions as versions_here

pytestmark = pytest.mark.long

FILES: dict[str, str | bytes] = {"a_v1.py": RIGHT}


def is_refused(run: Run, *words: str) -> None:
    assert run.code == pytest.ExitCode.USAGE_ERROR, run.out + run.err
    for word in words:
        assert word in run.told
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
        r"the Dask worker tcp://127\.0\.0\.1:\d+ cannot grade: it has another version: pytest-backprop \S+ "
        r"\(here \S+\) install",
        run.told,
    )


OLD_KERNEL = """
import os, sys, errno, pyseccomp
rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "landlock_create_ruleset")
rules.load()
os.execv(sys.executable, [sys.executable, "-m", "dask", *sys.argv[1:]])
"""


@pytest.mark.skipif(not sandbox.probe().is_full, reason="nothing to take away here")
def test_a_worker_with_less_of_a_sandbox_than_is_required(tmp_path: Path) -> None:
    """pytest's own machine has all of it: what counts is where students' code runs."""
    cluster = DaskCluster(tmp_path / "cluster")
    try:
        cluster.worker("--no-nanny", start=(sys.executable, "-c", OLD_KERNEL))
        words = (cluster.executor, "--backprop-sandbox=require")
        run = grade_folder(tmp_path, FILES, *words)
        reached = "where submissions are graded it reaches 'seccomp + limits' only"
        is_refused(run, "--backprop-sandbox: 'require'", reached)
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
NAMING = "def pytest_backprop_report_formats(config):\n    return {}\n"


@pytest.mark.parametrize("text", [CHECKING, NAMING])
def test_a_plugin_whose_functions_cannot_be_sent(text: str, tmp_path: Path) -> None:
    """What writes a report runs here, and is as good as ever."""
    words = "--backprop-executor=dask:tcp://127.0.0.1:9"
    run = grade_folder(tmp_path, FILES, words, naming_things=text)
    if text == NAMING:
        is_refused(run, "no Dask scheduler answers")
        return
    is_refused(run, "the plugin naming_things adds to grading", "leave the plugin out")


class _Anybody:
    """What Dask hands to a function that runs on a worker."""

    class state:  # noqa: N801
        nthreads = 3


@pytest.mark.parametrize(
    ("versions", "sandboxed", "message"),
    [
        ({}, sandbox.probe(), ""),
        ({"torch": "2.12.0"}, None, f"torch {torch.__version__} (here 2.12.0)"),
        ({}, Policy("none"), f"sandbox {sandbox.probe()} (here none + limits)"),
    ],
)
def test_what_a_worker_says_of_itself(
    versions: dict[str, str | None], sandboxed: Policy | None, message: str, tmp_path: Path
) -> None:
    setup = ClusterSetup(judge_setup(tmp_path), "bank", {}, versions_here() | versions)
    setup = replace(setup, bank={"v1.py": b"def v1():\n    return w0 * x1\n"})
    worker: Any = _Anybody()
    worker.local_directory = str(tmp_path)
    data = msgspec.msgpack.encode(setup)
    if not message:
        assert enrol("run", data, sandboxed, worker) == (3, sandbox.probe())
        return
    with pytest.raises(UsageProblem) as refused:
        enrol("run", data, sandboxed, worker)
    assert refused.value.message == f"it has another version: {message}"
    sent = pickle.loads(pickle.dumps(refused.value))  # as Dask does
    assert (sent.message, sent.way_out) == (refused.value.message, refused.value.way_out)
