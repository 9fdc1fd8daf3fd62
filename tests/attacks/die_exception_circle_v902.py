# attack: an exception that is its own cause
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        a, b = ValueError(1), ValueError(2)
        a.__context__, b.__context__ = b, a
        raise a
