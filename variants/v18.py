# Variant 18: in the style of the course.
def v18():
  r1 = 3 * x1 + w0 * x2 ** 2
  r2 = (w1 - x3) / (w0 + x1)
  r3 = x3 * w0 + w1 ** 3 / x2
  return r1 * r2 - r3 ** 2 / (r1 + w1)
