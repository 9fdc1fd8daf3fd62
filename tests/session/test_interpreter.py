"""`--backprop-python`: another interpreter, a real one, grades in the place of this."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from interpreters import interpreter
from plugin_samples import RIGHT, WRONG, Run, environment, grade_folder, lay_out

WHERE = "import sys\n\ndef pytest_report_header():\n    return f'run by {sys.prefix}'\n"
"""A plugin that tells which interpreter runs."""
COMMAND = "from pytest_backprop.cli import main; main(prog_name='backprop')"


def venv(folder: Path, python: str = sys.executable, *packages: str) -> Path:
    """An interpreter of its own, which has the packages of some folders."""
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    made = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.check_output([made, "-c", code], text=True).strip()
    lines = (f"import site; site.addsitedir({each!r})\n" for each in packages)
    Path(site, "others.pth").write_text("".join(lines))
    return made


def test_another_python_grades(tmp_path: Path) -> None:
    other = venv(tmp_path / "other one", sys.executable, sysconfig.get_path("purelib"))
    class_of_two = {"a_v1.py": RIGHT, "b_v1.py": WRONG}
    run = grade_folder(tmp_path, class_of_two, "--backprop-python", str(other), where=WHERE)
    assert f"run by {tmp_path / 'other one'}" in run.out, run.out + run.err
    assert run.out.count("run by ") == 1
    assert (run.code, run.by_name["a_v1.py"]["score"]) == (1, 100)
    # by the command, the ini file and a relative path; what lies beside is not imported
    (tmp_path / "pytest.ini").write_text("[pytest]\nbackprop_python = other one/bin/python\n")
    lay_out(tmp_path, {"torch.py": "raise SystemExit(3)", "importlib.py": "raise SystemExit(3)"})
    words = [sys.executable, "-P", "-c", COMMAND, "grade", "-p", "where", "class/a_v1.py"]
    done = subprocess.run(
        words, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True
    )
    assert f"run by {tmp_path / 'other one'}" in done.stdout, done.stdout + done.stderr
    assert (done.returncode, "100/100" in done.stdout) == (0, True), done.stdout


def asked(folder: Path, python: str) -> Run:
    return grade_folder(
        folder, {"a_v1.py": RIGHT}, "--backprop-python", python, "--collect-only", "-q"
    )


def test_one_that_cannot_grade_is_told_with_the_way_out(tmp_path: Path) -> None:
    here = f"3.{sys.version_info.minor}"
    assert "a_v1.py" in asked(tmp_path, here).out
    assert "a_v1.py" in asked(tmp_path, sys.executable).out
    newer = interpreter("3.12" if here != "3.12" else "3.13") or sys.executable
    bare = venv(tmp_path / "bare", newer)
    run = asked(tmp_path, str(bare))
    assert run.code == 4
    assert f"{bare} has no torch, pytest, pytest_backprop install it there" in run.told, run.err
    assert f"{bare} -m pip install pytest_backprop-" in run.told
    for wrong in ("3.99", "nowhere/python"):
        run = asked(tmp_path, wrong)
        assert run.code == 4
        assert f"--backprop-python: {wrong}" in run.told.replace(f"{tmp_path}/", "")
        assert "is no Python that runs here" in run.told
