# verdict:
# why = "the same function exactly; 1e13 leaves three digits of float64"
# notes = [
#   "d y / d w1 is the right function, but unstable in floating point",
#   "points differ; at w0=",
# ]
#: net, values, g1
        dw0 = g1 * 2 * w0 + r1 * x2
        dw1 = (g1 * x1 + 1e13) - 1e13 - r1
        g1 = r1 = None
#: end
