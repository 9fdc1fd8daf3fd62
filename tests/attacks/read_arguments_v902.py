# attack: reads the arguments and the folder of its process
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
import os
import sys

#: net
        raise ValueError(f"{sys.argv} {os.getcwd()} {sys.path}")
