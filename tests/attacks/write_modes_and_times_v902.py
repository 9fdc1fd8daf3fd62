# attack: changes modes, owners and times
# failed = "gradient wrong-gradient, unused-nodes, release"
import os

#: torch, tried, class
        for attempt in (
            lambda: os.chmod("@class@", 0),
            lambda: os.chmod("@class@/neighbour_a_right_v902.py", 0o777),
            lambda: os.utime("@class@/neighbour_a_right_v902.py", (0, 0)),
            lambda: os.chown("@class@/neighbour_a_right_v902.py", 1, 1),
            lambda: os.setxattr("@class@/neighbour_a_right_v902.py", "user.x", b"1"),
        ):
            tried(attempt)
#: value, nothing
