# attack: tells the whole environment
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
import os

#: net
        print(dict(os.environ))
        raise ValueError(str(sorted(os.environ.items())))
