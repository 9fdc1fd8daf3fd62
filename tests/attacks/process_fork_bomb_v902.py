# attack: forks thirty times over
# failed = "gradient wrong-gradient, unused-nodes, release"
import os
import time

#: torch, tried, class
        for _ in range(30):
            try:
                if os.fork() == 0:
                    time.sleep(600)
            except OSError:
                continue
#: value, nothing
