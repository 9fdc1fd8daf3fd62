# attack: writes over, renames and removes its neighbours
# failed = "gradient wrong-gradient, unused-nodes, release"
import os
import shutil

#: torch, tried, class
        for attempt in (
            lambda: open("@class@/neighbour_a_right_v902.py", "w").write(""),
            lambda: os.truncate("@class@/neighbour_a_right_v902.py", 0),
            lambda: os.rename("@class@/neighbour_a_right_v902.py", "@class@/gone.py"),
            lambda: os.remove("@class@/neighbour_a_right_v902.py"),
            lambda: shutil.rmtree("@class@"),
        ):
            tried(attempt)
#: value, nothing
