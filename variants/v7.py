# Variant 7: in the style of the course.
def v7():
  r1 = (w0 + w1 * x2) ** 2
  r2 = x1 / (w0 + x3) + x3 / (w1 + x2)
  r3 = x1 * x2 - w0 ** 2 * x3
  return (r1 + r3) * r2 / (r1 + x1)
