"""The page on the live cell: its cells run, in a real kernel, and show what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from doc_pages import read
from kernels import kernel


@pytest.mark.long
def test_the_cells_of_the_page_show_what_it_says(tmp_path: Path) -> None:
    shown = []
    with kernel(tmp_path) as live:
        for block in read("live-cell.md").blocks:
            if block.language == "ipython" and "not run" not in block.remarks:
                shown.append(live.run(block.text.rstrip("\n")))
                assert not shown[-1].error, shown[-1].error
            elif "printed" in block.remarks:
                assert block.text.rstrip("\n") in shown[-1].plain[0]
    assert [len(cell.cards) for cell in shown] == [0, 0, 1, 0, 0, 1, 0]
    assert shown[3].printed.startswith("80.0 100.0 False\n")
    assert shown[-1].plain == []
