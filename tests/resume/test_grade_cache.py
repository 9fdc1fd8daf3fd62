"""The cache's folder: what comes out of it is what was put in under the very same key, or nothing."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_checks import check, grade
from test_journal import graded, key

from pytest_backprop.errors import UsageProblem
from pytest_backprop.model import Grade
from pytest_backprop.resume.grade_cache import KEPT, GradeCache


@pytest.fixture
def cache(tmp_path: Path) -> GradeCache:
    return GradeCache(tmp_path / "grades")


def files(cache: GradeCache) -> list[Path]:
    return sorted(path for path in cache.folder.rglob("*") if path.is_file())


def ended(status: Any) -> Grade:
    return grade("class/a.py", check("forward", 0.0), status=status)


def test_what_was_put_in_comes_back_to_all_who_use_the_folder(cache: GradeCache) -> None:
    assert cache.get(key()) is None
    cache.put(key(), graded())
    assert GradeCache(cache.folder).get(key()) == graded()


@pytest.mark.parametrize(
    "change",
    [
        {"submission": "class/b.py"},
        {"content": "c1"},
        {"variant": "v1"},
        {"student": None},
        {"rubric": "r1"},
        {"settings": {"timeout": 20.0, "seed": 1}},
        {"versions": {"torch": "2.9.1", "pytest-backprop": "0.1.0+0"}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_grade_stands_for_its_own_key_alone(cache: GradeCache, change: dict[str, Any]) -> None:
    cache.put(key(), graded())
    assert cache.get(key(**change)) is None


@pytest.mark.parametrize(
    "status",
    ["graded", "unreadable", "timeout", "out_of_memory", "crashed", "grader_error", "not_reached"],
)
def test_what_the_machine_may_have_caused_is_not_kept(cache: GradeCache, status: str) -> None:
    cache.put(key(), ended(status))
    assert (cache.get(key()) is not None) == (status in KEPT)
    assert bool(files(cache)) == (status in KEPT)


@settings(max_examples=60)
@given(data=st.data())
def test_a_damaged_file_is_no_grade(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    cache = GradeCache(tmp_path_factory.mktemp("grades"))
    cache.put(key(), graded())
    (file,) = files(cache)
    whole = file.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 2))
    how = data.draw(st.sampled_from(["cut", "flipped", "doubled"]))
    if how == "cut":
        file.write_bytes(whole[:at])
    elif how == "flipped":
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    else:
        file.write_bytes(whole * 2)
    assert cache.get(key()) in (None, graded())
    if how != "flipped":  # of which some change no more than the case of a letter of JSON's own
        assert cache.get(key()) is None


def test_many_may_write_one_grade_at_a_time(cache: GradeCache) -> None:
    caches = [GradeCache(cache.folder) for _ in range(8)]
    writers = [threading.Thread(target=one.put, args=(key(), graded())) for one in caches]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert cache.get(key()) == graded()
    assert len(files(cache)) == 1


def test_others_can_read_none_of_it(cache: GradeCache) -> None:
    cache.put(key(), graded())
    assert cache.folder.stat().st_mode & 0o077 == 0
    assert files(cache)[0].stat().st_mode & 0o077 == 0


def test_a_folder_that_everybody_writes_to_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(UsageProblem, match="everybody may write to the cache"):
        GradeCache(tmp_path)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "grades").write_text("")
    with pytest.raises(UsageProblem, match="cannot be used"):
        GradeCache(tmp_path / "grades")


def test_a_disk_that_takes_nothing_loses_no_grade(
    cache: GradeCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    cache.put(key(), graded())
    assert cache.get(key()) is None
    assert files(cache) == []
