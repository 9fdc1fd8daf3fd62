# attack: writes through torch, numpy, sqlite, logging and tempfile
# failed = "gradient wrong-gradient, unused-nodes, release"
import logging
import sqlite3
import tempfile

import numpy as np

#: torch, tried, class
        for attempt in (
            lambda: torch.save(self.w, "@outside@/t.pt"),
            lambda: np.save("@outside@/n.npy", np.ones(3)),
            lambda: sqlite3.connect("@outside@/s.db").execute("create table t (x)"),
            lambda: logging.FileHandler("@outside@/l.log").emit(logging.makeLogRecord({})),
            lambda: tempfile.NamedTemporaryFile(delete=False, dir="@outside@"),
            lambda: tempfile.mkdtemp(),
            lambda: np.memmap("@outside@/m", mode="w+", shape=3),
        ):
            tried(attempt)
#: value, nothing
