# attack: opens descriptors until there are no more
# failed = "gradient wrong-gradient, unused-nodes, release"
import os

#: net
        try:
            while True:
                os.dup(1)
        except OSError:
            pass
#: value, nothing
