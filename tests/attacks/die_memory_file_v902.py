# attack: fills a file that is in memory only
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
import os

#: net
        fd = os.memfd_create('full')
        while True:
            os.write(fd, bytes(2**22))
