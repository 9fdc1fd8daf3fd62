# Variant 23: in the style of the course.
def v23():
  r1 = x1 * w1 + x2 * w0 + x3
  r2 = (x1 - x3) ** 2 / (w0 + w1)
  r3 = w0 * w1 * x2 - x3 ** 3
  return r2 * r3 / r1 + r1 / (x2 + w1)
