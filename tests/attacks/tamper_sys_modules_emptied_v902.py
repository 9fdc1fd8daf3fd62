# attack: empties sys.modules
# failed = "forward raises, manual-forward raises, gradient, unused-nodes, release"
import sys

#: net
        sys.modules.clear()
#: value, nothing
