# attack: makes links, pipes and sockets in the class's folder
# failed = "gradient wrong-gradient, unused-nodes, release"
import os

#: torch, tried, class
        for attempt in (
            lambda: os.symlink("/etc/passwd", "@class@/link_v902.py"),
            lambda: os.link("@class@/neighbour_a_right_v902.py", "@class@/hard_v902.py"),
            lambda: os.mkfifo("@class@/pipe_v902.py"),
            lambda: os.mknod("@class@/node_v902.py"),
            lambda: os.mkdir("@class@/folder_v902.py"),
        ):
            tried(attempt)
#: value, nothing
