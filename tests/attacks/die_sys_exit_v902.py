# attack: leaves by sys.exit
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
import sys

#: net
        sys.exit(0)
