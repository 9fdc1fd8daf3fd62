"""Reports that are a folder: whole or not at all, and nothing of anybody else's is written over."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_backprop.errors import UsageProblem
from pytest_backprop.reports.writing import MANIFEST, check_folder, write_folder

ONE = [("index.html", b"one"), ("students/a.html", b"a")]
TWO = [("index.html", b"two"), ("students/b.html", b"b")]


def names(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_a_report_is_written_and_a_newer_one_takes_its_place(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "report"
    write_folder(target, ONE)
    assert names(target) == ["index.html", MANIFEST, "students/a.html"]
    write_folder(target, TWO)
    assert names(target) == ["index.html", MANIFEST, "students/b.html"]
    assert (target / "index.html").read_bytes() == b"two"
    assert os.listdir(target.parent) == ["report"]


def test_an_empty_folder_may_become_a_report(tmp_path: Path) -> None:
    target = tmp_path / "report"
    target.mkdir()
    write_folder(target, ONE)
    assert (target / "index.html").exists()


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("thesis.txt", "it has thesis.txt"),
        ("index.html", "it has index.html"),
        ("empty/", "it has empty"),
        (MANIFEST, f"it has {MANIFEST}"),
    ],
)
def test_another_folder_is_left_alone(tmp_path: Path, made: str, told: str) -> None:
    target = tmp_path / "work"
    target.mkdir()
    if made.endswith("/"):
        (target / made).mkdir()
    else:
        (target / made).write_text("precious", encoding="utf-8")
    for attempt in (lambda: check_folder(target), lambda: write_folder(target, ONE)):
        with pytest.raises(UsageProblem, match=told) as caught:
            attempt()
        assert "name of a new folder" in caught.value.way_out
    assert os.listdir(tmp_path) == ["work"]
    assert os.listdir(target) == [made.rstrip("/")]


def test_a_report_to_which_somebody_added_a_file_is_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "report"
    write_folder(target, ONE)
    (target / "students" / "remarks.txt").write_text("precious", encoding="utf-8")
    with pytest.raises(UsageProblem, match=r"it has students/remarks\.txt"):
        write_folder(target, TWO)
    assert (target / "index.html").read_bytes() == b"one"


def test_a_link_in_a_report_is_not_ours(tmp_path: Path) -> None:
    target = tmp_path / "report"
    write_folder(target, ONE)
    (tmp_path / "home").mkdir()
    (target / "link").symlink_to(tmp_path / "home")
    with pytest.raises(UsageProblem, match="it has link"):
        check_folder(target)


def test_a_file_is_no_place_for_a_folder(tmp_path: Path) -> None:
    target = tmp_path / "report"
    target.write_text("x", encoding="utf-8")
    with pytest.raises(UsageProblem, match="is a file"):
        check_folder(target)


def test_the_old_report_stands_when_the_new_one_fails_half_way(tmp_path: Path) -> None:
    def failing() -> Iterator[tuple[str, bytes]]:
        yield TWO[0]
        raise OSError(28, "No space left on device")

    target = tmp_path / "report"
    write_folder(target, ONE)
    with pytest.raises(UsageProblem, match="cannot be written: No space left"):
        write_folder(target, failing())
    assert (target / "index.html").read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["report"]


def test_a_fault_of_ours_leaves_nothing_behind(tmp_path: Path) -> None:
    def failing() -> Iterator[tuple[str, bytes]]:
        yield TWO[0]
        raise ValueError("ours")

    with pytest.raises(ValueError, match="ours"):
        write_folder(tmp_path / "report", failing())
    assert os.listdir(tmp_path) == []


def test_the_old_report_comes_back_when_the_new_one_cannot_be_put_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "report"
    write_folder(target, ONE)
    rename = os.rename

    def refuse(source: str | Path, place: str | Path) -> None:
        if str(source).endswith(".tmp"):
            raise PermissionError(13, "Permission denied")
        rename(source, place)

    monkeypatch.setattr(os, "rename", refuse)
    with pytest.raises(UsageProblem, match="Permission denied"):
        write_folder(target, TWO)
    assert (target / "index.html").read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["report"]


def test_a_link_to_a_report_stays_a_link(tmp_path: Path) -> None:
    write_folder(tmp_path / "monday", ONE)
    (tmp_path / "latest").symlink_to(tmp_path / "monday")
    write_folder(tmp_path / "latest", TWO)
    assert (tmp_path / "latest").is_symlink()
    assert (tmp_path / "monday" / "index.html").read_bytes() == b"two"
