# attack: ten thousand ops
# failed = "manual-forward wrong-value, gradient no-gradient, unused-nodes, release"
#: net
        for _ in range(10**4):
            x1 = x1 * 1.0
        return x1
