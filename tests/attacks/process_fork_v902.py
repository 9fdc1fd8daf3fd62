# attack: forks a child that stays
# failed = "gradient wrong-gradient, unused-nodes, release"
import os
import time

#: torch, tried, class
        if tried(os.fork):
            time.sleep(600)
#: value, nothing
