# attack: waits for input
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
import sys

#: net
        print(input())
        print(sys.stdin.read())
#: value, nothing
