# Variant 6: in the style of the course.
def v6():
  r1 = 2 * w0 * x1 + x2 ** 3
  r2 = x3 / w1 - w0 / (x1 + x3)
  r3 = (x2 + w1) ** 2 * x3
  return r1 / r3 + r2 * r3 - r1 * x2
