"""Zips that nobody trusts: what is in them, and what they cannot do."""

from __future__ import annotations

import contextlib
import os
import random
import stat
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from zips import encrypted, link, listed, many, overlapping, renamed, special, zipped

from pytest_backprop.classroom.archives import CLASS, STUDENT, ArchiveLimits, File, unpack
from pytest_backprop.errors import SubmissionProblem, UsageProblem

CODE = b"x = 1\n"
SMALL = ArchiveLimits(20_000, 50, 10_000, 20_000)


def opened(folder: Path, raw: bytes, limits: ArchiveLimits = STUDENT) -> dict[str, File]:
    """The members by their paths."""
    source, into = folder / "hw.zip", folder / "into"
    source.write_bytes(raw)
    into.mkdir(exist_ok=True)
    return {"/".join(m.parts): m for m in unpack(source, "hw.zip", into, limits)}


def content(member: File) -> bytes:
    assert member.path is not None
    return Path(member.path).read_bytes()


def refused(folder: Path, raw: bytes, limits: ArchiveLimits = STUDENT) -> str:
    """The message; nothing may have been left behind half."""
    with pytest.raises(SubmissionProblem) as caught:
        opened(folder, raw, limits)
    problem = caught.value
    assert problem.way_out
    assert problem.message.isprintable()
    return f"{problem.kind}: {problem.message}"


# -- honest ones ----------------------------------------------------------------------------------


def test_what_grading_reads_is_unpacked_and_the_rest_is_listed(tmp_path: Path) -> None:
    files = {"work/hw.py": CODE, "work/data/big.csv": b"1", "hw.onnx": b"m", "inner.zip": b"z"}
    found = opened(tmp_path, zipped(files))
    assert list(found) == ["hw.onnx", "inner.zip", "work/data/big.csv", "work/hw.py"]
    assert content(found["work/hw.py"]) == CODE
    assert content(found["hw.onnx"]) == b"m"
    for other in ("inner.zip", "work/data/big.csv"):
        assert (found[other].path, found[other].problem) == (None, None)


def test_zips_are_unpacked_from_a_class_only(tmp_path: Path) -> None:
    found = opened(tmp_path, zipped({"ann/hw.zip": b"z"}), CLASS)
    assert content(found["ann/hw.zip"]) == b"z"


@pytest.mark.parametrize(
    "name",
    ["__MACOSX/._hw.py", ".DS_Store", "a/.ipynb_checkpoints/hw-checkpoint.ipynb", "._hw.py", "__pycache__/hw.py"],
)  # fmt: skip
def test_what_programs_leave_behind_is_nobodys(tmp_path: Path, name: str) -> None:
    assert list(opened(tmp_path, zipped({name: CODE, "hw.py": CODE}))) == ["hw.py"]


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (renamed(b"aa.py", "дз.py".encode("cp866"), CODE), "дз.py"),
        (renamed(b"aaaa.py", "дз.py".encode(), CODE), "дз.py"),
        (renamed(b"aaaa.py", "дз.py".encode(), CODE, utf8=True), "дз.py"),
        (renamed(b"aaaaaaaa 1.py", "домашняя 1.py".encode("cp866"), CODE), "домашняя 1.py"),
        (renamed(b"aaaa.py", "José".encode("cp437") + b".py", CODE), "José.py"),
        (renamed(b"a-b-c.py", b"a\\b\\c.py", CODE), "a/b/c.py"),
        (zipped({"Иванов Пётр/hw.py": CODE}), "Иванов Пётр/hw.py"),
        (zipped({"./a//./hw.py": CODE}), "a/hw.py"),
    ],
)  # fmt: skip
def test_names_in_the_code_page_of_whoever_packed_it(tmp_path: Path, raw: bytes, name: str) -> None:
    found = opened(tmp_path, raw)
    assert {name: content(member) for name, member in found.items()} == {name: CODE}


def test_names_that_would_act_are_spelt_out(tmp_path: Path) -> None:
    found = opened(tmp_path, zipped({"\x1b[2J\u202e\n.py": CODE}))
    assert list(found) == ["\\x1b[2J\\u202e\\n.py"]


# -- those made to do harm ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["../evil.py", "a/../../evil.py", "/etc/evil.py", "..\\evil.py", "C:\\evil.py", "c:/evil.py",
     "\\\\host\\share\\evil.py", "../evil.txt", "a/.."],
)  # fmt: skip
@pytest.mark.parametrize("limits", [STUDENT, CLASS], ids=["student", "class"])
def test_paths_that_lead_out(tmp_path: Path, name: str, limits: ArchiveLimits) -> None:
    assert "leads out" in refused(tmp_path, zipped({"hw.py": CODE, name: CODE}), limits)
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["hw.zip", "into"]


def test_a_name_with_a_nul(tmp_path: Path) -> None:
    raw = renamed(b"hw.pyxa.txt", b"hw.py\0a.txt", CODE)
    assert "leads out" in refused(tmp_path, raw)


def test_a_name_that_is_no_utf8(tmp_path: Path) -> None:
    assert "cannot be unpacked" in refused(
        tmp_path, renamed(b"aaa.py", b"\xed\xa0\x80.py", CODE, utf8=True)
    )


@pytest.mark.parametrize(
    "entry", [link("hw.py", "/etc/passwd"), special("hw.py", stat.S_IFCHR),
              special("hw.py", stat.S_IFIFO), special("hw.py", stat.S_IFSOCK)],
)  # fmt: skip
def test_links_and_devices_are_never_made(
    tmp_path: Path, entry: tuple[zipfile.ZipInfo, bytes]
) -> None:
    found = opened(tmp_path, listed(entry, ("good.py", CODE)))
    problem = found["hw.py"].problem
    assert problem is not None
    assert "link or a device" in problem.message
    assert content(found["good.py"]) == CODE
    assert [path.is_file() for path in (tmp_path / "into").iterdir()] == [True]


def test_a_file_below_a_link_stays_inside(tmp_path: Path) -> None:
    found = opened(tmp_path, listed(link("sub", str(tmp_path)), ("sub/hw.py", CODE)))
    assert content(found["sub/hw.py"]) == CODE
    assert not (tmp_path / "hw.py").exists()


@pytest.mark.parametrize(
    "names", [("hw.py", "hw.py"), ("hw.py", "HW.py"), ("a/hw.py", "a\\hw.py"),
              ("\u0439.py", "\u0438\u0306.py")],
)  # fmt: skip
def test_two_files_of_one_name(tmp_path: Path, names: tuple[str, str]) -> None:
    raw = listed((names[0], CODE), (names[1], b"y = 2\n"))
    assert "two files of the same name" in refused(tmp_path, raw)


def test_two_pictures_of_one_name_harm_nobody(tmp_path: Path) -> None:
    raw = listed(("a.png", b"1"), ("a.png", b"2"), ("hw.py", CODE))
    assert content(opened(tmp_path, raw)["hw.py"]) == CODE


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    raw = zipped({"hw.py": b" " * 51_000_000, "good.py": CODE})
    assert len(raw) < 210_000
    found = opened(tmp_path, raw)
    problem = found["hw.py"].problem
    assert problem is not None
    assert "51.0 MB large; at most 50 MB" in problem.message
    assert [path.stat().st_size for path in (tmp_path / "into").iterdir()] == [len(CODE)]


def test_a_bomb_that_lies_about_its_size(tmp_path: Path) -> None:
    size = 10_000_000
    raw = zipped({"hw.py": b" " * size})
    raw = raw.replace(size.to_bytes(4, "little"), (100).to_bytes(4, "little"))
    found = opened(tmp_path, raw)
    problem = found["hw.py"].problem
    assert problem is not None
    assert problem.kind == "bad-archive"
    assert list((tmp_path / "into").iterdir()) == []


def test_entries_that_share_bytes(tmp_path: Path) -> None:
    """zipfile reads the name at each, which fits one alone."""
    raw = overlapping(b" " * 1_000_000, 500)
    assert len(raw) < 60_000
    found = opened(tmp_path, raw)
    assert [name for name, member in found.items() if member.problem is None] == ["0000.py"]
    assert len(list((tmp_path / "into").iterdir())) == 1


def test_too_many_files(tmp_path: Path) -> None:
    raw = many(STUDENT.entries + 1)
    assert "10,000" in refused(tmp_path, raw)
    assert opened(tmp_path, raw, CLASS)


def test_a_table_that_would_fill_the_memory_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = many(100_000)

    def never(*_: object) -> None:
        raise AssertionError("the table was read")

    monkeypatch.setattr(zipfile, "ZipFile", never)
    assert "too many files" in refused(tmp_path, raw)


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"a.py": os.urandom(11_000)}, None),
        ({f"{n}.py": os.urandom(9_000) for n in range(3)}, "does not fit"),
        ({f"{n}.txt": b"" for n in range(51)}, "too many files"),
    ],
)
def test_limits(tmp_path: Path, files: dict[str, bytes], says: str | None) -> None:
    if says is not None:
        assert says in refused(tmp_path, zipped(files), SMALL)
        return
    problem = opened(tmp_path, zipped(files), SMALL)["a.py"].problem
    assert problem is not None
    assert problem.kind == "too-large"


def test_a_password(tmp_path: Path) -> None:
    problem = opened(tmp_path, encrypted({"hw.py": CODE}))["hw.py"].problem
    assert problem is not None
    assert "password" in problem.message


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_way_of_packing_that_is_not_read(tmp_path: Path, method: int) -> None:
    with zipfile.ZipFile(tmp_path / "made.zip", "w", method) as archive:
        archive.writestr("hw.py", CODE)
    problem = opened(tmp_path, (tmp_path / "made.zip").read_bytes())["hw.py"].problem
    assert problem is not None
    assert problem.kind == "unknown-packing"


@pytest.mark.parametrize("raw", [b"", b"PK\x03\x04", b"hello" * 100, b"PK\x05\x06" + b"\xff" * 18])
def test_what_is_no_zip(tmp_path: Path, raw: bytes) -> None:
    refused(tmp_path, raw)


def test_a_fifo_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "hw.zip")
    with pytest.raises(SubmissionProblem, match="not an ordinary file"):
        unpack(tmp_path / "hw.zip", "hw.zip", tmp_path, STUDENT)


def test_a_full_disk_is_not_the_students_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource
    import signal

    was = resource.getrlimit(resource.RLIMIT_FSIZE)
    raw = zipped({"hw.py": os.urandom(300_000)})
    (tmp_path / "hw.zip").write_bytes(raw)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, was[1]))
    try:
        with pytest.raises(UsageProblem, match="no room"):
            unpack(tmp_path / "hw.zip", "hw.zip", tmp_path, STUDENT)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, was)
        signal.signal(signal.SIGXFSZ, before)


# -- laws -----------------------------------------------------------------------------------------

HONEST = zipped({"a/hw.py": CODE * 50, "b.ipynb": b"{}", "c.txt": b"c"})


def test_any_damage_is_told_or_harmless(tmp_path: Path) -> None:
    """Cut anywhere, and with bytes changed: no exception but ours, nothing written outside."""
    damage = random.Random(7)
    cuts = [HONEST[:at] for at in range(0, len(HONEST), 7)]
    changed = []
    for _ in range(300):
        raw = bytearray(HONEST)
        for _ in range(damage.randint(1, 4)):
            raw[damage.randrange(len(raw))] = damage.randrange(256)
        changed.append(bytes(raw))
    for number, raw in enumerate([*cuts, *changed]):
        folder = tmp_path / str(number)
        folder.mkdir()
        with contextlib.suppress(SubmissionProblem):
            opened(folder, raw)
        assert {path.name for path in folder.iterdir()} == {"hw.zip", "into"}


names = st.one_of(
    st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=40),
    st.lists(
        st.sampled_from(["..", ".", "", "a", "hw.py", "C:", "~", "con", "x" * 300, "$HOME", "\0"]),
        min_size=1, max_size=6,
    ).flatmap(lambda parts: st.sampled_from(["/", "\\"]).map(lambda between: between.join(parts))),
)  # fmt: skip


@given(st.lists(names, min_size=1, max_size=4))
def test_no_name_leads_out(tmp_path_factory: pytest.TempPathFactory, entries: list[str]) -> None:
    top = tmp_path_factory.mktemp("law")
    folder = top / "inner"
    folder.mkdir()
    raw = listed(*((f"{name}.py", CODE) for name in entries))
    try:
        found = opened(folder, raw)
    except SubmissionProblem:
        found = {}
    assert [path.name for path in top.iterdir()] == ["inner"]
    assert {path.name for path in folder.iterdir()} == {"hw.zip", "into"}
    for member in found.values():
        assert all(part.isprintable() and part not in ("", ".", "..") for part in member.parts)
        if member.path is not None:
            place = Path(member.path)
            assert place.parent == folder / "into"
            assert place.name.removesuffix(place.suffix).isdigit()
