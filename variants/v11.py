# Variant 11: in the style of the course.
def v11():
  r1 = w1 / (w0 + x1 * x2)
  r2 = (x1 - w1) ** 2 + x3 ** 2
  r3 = w0 * x3 / x2 + w1 * x1
  return (r1 * r3 - r2) / (r2 + w0)
