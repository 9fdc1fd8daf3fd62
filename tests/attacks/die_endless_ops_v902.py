# attack: more ops than a recording may have
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        for _ in range(10**4):
            x1 = x1 * 1.0
        return x1
