# verdict:
# failed = "gradient, release, integrity not-from-graph @A y1, integrity not-from-graph @B y2"
# why = "by finite differences"
#: start, forward
    eps = 1e-2
    d_y1 = ((y1 + eps - y2) ** 2 - (y1 - eps - y2) ** 2) / (2 * eps)  # @A
    d_y2 = ((y1 - y2 - eps) ** 2 - (y1 - y2 + eps) ** 2) / (2 * eps)  # @B
    return d_y1.detach(), d_y2.detach()
