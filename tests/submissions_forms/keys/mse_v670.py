def loss(v, t):
    return (v - t).pow(2).sum()


def dloss(v, t):
    return 2 * (v - t)
