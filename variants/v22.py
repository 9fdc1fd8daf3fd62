# Variant 22: in the style of the course.
def v22():
  r1 = w0 / (w1 + x3) + x1 ** 2
  r2 = (x2 - w1) * (x3 + w0 * x1)
  r3 = x1 * x2 * w1 - w0 ** 2
  return (r1 + r2) * (r1 - r3) / (x2 + w0)
