"""What the cases of `saved-tensor-hooks` state, held against plain torch."""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hooks_oracle
import pytest
from corpus_text import graded_file, variant_of
from stated import named
from test_hooks_corpus import FOLDER, files, stated

LIMITS = {
    path.stem: int((re.findall(r"THRESHOLD = (\d+)", path.read_text()) or [1000])[0])
    for path in (FOLDER / "bank").glob("*.py")
}

Ask = Callable[[Path, int], dict[str, Any]]


@pytest.fixture(scope="module")
def asked() -> Iterator[Ask]:
    """What the oracle says, in a process for each file, forked from this one, which has imported
    torch."""
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        yield lambda path, limit: pool.apply_async(hooks_oracle.asked, (str(path), limit)).get(120)


def lacks(told: dict[str, Any]) -> bool:
    """Whether files are fewer than saves, or there are some of small tensors."""
    return any(
        count < told["saves"] if large else count > 0 for large, count in told["files"].values()
    )


@pytest.mark.long
@pytest.mark.parametrize("path", files("right"), ids=named)
def test_the_oracle_finds_nothing_in_right_ones(path: Path, asked: Ask) -> None:
    told = asked(graded_file(path), LIMITS[variant_of(path)])
    assert not told["wrong"]
    assert not told["left"]
    if "TemporaryFile()" not in path.read_text() or "Named" in path.read_text():
        assert not lacks(told)


@pytest.mark.long
@pytest.mark.parametrize("path", files("wrong"), ids=named)
def test_what_the_oracle_finds_is_stated(path: Path, asked: Ask) -> None:
    verdict = stated(path)
    if verdict.status != "graded":
        return
    told = asked(graded_file(path), LIMITS[variant_of(path)])
    lost = verdict.failed | verdict.partial.keys()
    if told["wrong"]:
        assert "gradient" in lost
    elif told["left"]:
        assert "release" in lost
    if lacks(told) and not told["wrong"]:
        assert {"threshold", "files"} & lost
