# verdict:
# why = "annotations are text"
from __future__ import annotations
#: note
