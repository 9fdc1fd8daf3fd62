# attack: writes a report of its own
# failed = "gradient wrong-gradient, unused-nodes, release"
import os

#: torch, tried, class
        for attempt in (
            lambda: open("@root@/report.json", "w").write("{}"),
            lambda: os.symlink("/dev/null", "@root@/report.json"),
            lambda: os.mkdir("@root@/report.json"),
        ):
            tried(attempt)
#: value, nothing
