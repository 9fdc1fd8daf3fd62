"""For our own tests only: graders run with no conftest at all (see `plugin.py`)."""

import gc
import os
import shutil

import hypothesis
import pytest

# as in graders, and in all that a test starts: threads of torch's own that wait for each other take a processor
# that others want. Before torch is imported
os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

# in CI a tree gets one answer; elsewhere laws are tried on new examples each time. What an example takes says
# how busy a machine is, and no more
hypothesis.settings.register_profile(
    "ours",
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
hypothesis.settings.load_profile("ours")

pytest_plugins = "pytester"

PROGRAMS = {"chromium": ("chromium", "chromium-browser", "google-chrome")}
"""What a test may need from the system, by what it is called there."""


LONGEST = (
    "tests/accuracy/",
    "tests/grading/test_corpus.py",
    "tests/test_attacks.py",
    "tests/trace/test_recorder_law.py",
    "tests/exercises/test_function_corpus.py",
    "tests/test_docs.py",
    "tests/reports/test_html_browser.py",
    "tests/processes/test_worker_client.py",
    "tests/test_examples.py",
    "tests/session/test_plugin_options.py",
    "tests/session/test_plugin_resume.py",
    "tests/onnx/",
    "tests/cluster/",
)
"""What takes longest, in a process each: first, so that none of it is left when the others have ended."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts these first; else the order stays."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


def pytest_collection_finish() -> None:
    """What is there now stays to the end: the collector need not look at it again and again."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leaves a test out whose program is not there: one line in the summary for all of them. In CI,
    where nobody reads that line, it fails instead."""
    for marker in item.iter_markers("program"):
        (name,) = marker.args
        if any(map(shutil.which, PROGRAMS[name])):
            continue
        if os.environ.get("CI"):
            pytest.fail(f"{name} is not on this machine, and in CI no test is left out", False)
        pytest.skip(f"left out, for they need {name}: `make system` could not install it here")
