# attack: replaces os.write, with which the answer is sent
# failed = "gradient wrong-gradient, unused-nodes, release"
import os

#: net
        os.write = lambda fd, data: len(data)
#: value, nothing
