# attack: the engine runs beside, for what is worked out by hand
# failed = "gradient, release, integrity not-from-graph 12 y1, integrity not-from-graph 13 y2"
#: start, forward, loss
    loss.backward()
    d_y1 = 2 * (y1 - y2)
    return d_y1.detach(), -d_y1.detach()
