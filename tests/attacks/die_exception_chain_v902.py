# attack: a chain of a thousand exceptions
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        error = None
        for n in range(1000):
            new = ValueError(n)
            new.__cause__ = error
            error = new
        raise error
