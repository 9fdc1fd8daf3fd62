"""How a class arrives: flat files, a folder a student, what Moodle, Canvas and Gradescope export,
and zips of these. Nothing here runs or grades anything: it says which file is whose submission.

The way through: `files` lists a folder or a zip (`archives` unpacks it), `layouts` recognises how
it is laid out and gathers the files of each student, `choice` decides which of them is the
submission, `plan` does this for all paths of a run."""

from __future__ import annotations

from ..submission import Wanted as Wanted
from .archives import LINK as LINK
from .hand_in import ClassPlan as ClassPlan, HandIn as HandIn, Person as Person
from .names import printable as printable
from .plan import Planner as Planner
