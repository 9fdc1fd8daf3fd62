"""What Moodle's VPL finds in the output of an evaluation, ported from `find_proposedgrade` and
`find_proposedcomment` in `vpl_submission.class.php` of jcrodriguez-dis/moodle-mod_vpl (at da0f80a), PCRE's
/m and greedy matches included. With CR LF anywhere it reads lines otherwise; nothing of ours has one."""

from __future__ import annotations

import re


def grade(output: str) -> str:
    """The proposed grade: the last that is there, empty for none."""
    return "" if not (found := re.findall(r"(?m)^Grade :=>>(.*)$", output)) else found[-1].strip()


def comments(output: str) -> str:
    """The proposed comments: single lines and blocks, in order."""
    start = re.compile(r"(?m)^[ \t]*(Comment :=>>(.*)|<\|--)[ \t]*$")
    end = re.compile(r"(?m)^[ \t]*--\|>[ \t]*$")
    assert "\r\n" not in output
    told, offset = "", 0
    while found := start.search(output, offset):
        if found[1] == "<|--":
            begin = found.end() + 1
            close = end.search(output, begin)
            if close is None:
                return told + output[begin:]
            told += output[begin : close.start()]
            offset = close.end() + 1
        else:
            told += found[2] + "\n"
            offset = found.end() + 1
    return told
