# attack: raises KeyboardInterrupt
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        raise KeyboardInterrupt
