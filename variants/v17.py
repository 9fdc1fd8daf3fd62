# Variant 17: in the style of the course.
def v17():
  r1 = x1 / (x2 + w0) ** 2
  r2 = w1 * x3 - w0 * x1 * x2
  r3 = x2 + x3 * (w1 ** 2 - w0)
  return (r1 * r3 + r2) / (w1 + r1)
