# attack: prints a megabyte at every point
# failed = "gradient wrong-gradient, unused-nodes, release"
import sys

#: net
        for _ in range(4):
            sys.stdout.write("x" * 2**18)
            sys.stderr.write("")
#: value, nothing
