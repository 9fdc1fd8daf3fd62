# Variant 12: in the style of the course.
def v12():
  r1 = (w0 * x1 + w1 * x2) / (x3 + 1)
  r2 = x3 ** 3 - w0 / w1
  r3 = (x2 + w0 ** 2) * (x1 + w1)
  return r1 ** 2 + r2 / r3 - r1 * x3
