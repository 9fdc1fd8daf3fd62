# attack: fills many files that are in memory only
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
import os

#: net
        while True:
            fd = os.memfd_create('full')
            os.write(fd, bytes(2**23))
