# attack: fills the disk
# failed = "gradient wrong-gradient, unused-nodes, release"
import os

#: torch, tried, class
        for attempt in (
            lambda: open("@outside@/full", "wb").write(bytes(200 * 2**20)),
            lambda: os.posix_fallocate(os.open("@outside@/fallocated", os.O_CREAT | os.O_RDWR), 0, 2**30),
        ):
            tried(attempt)
#: value, nothing
