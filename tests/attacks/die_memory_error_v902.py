# attack: raises MemoryError
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        raise MemoryError
