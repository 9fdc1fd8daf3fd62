# Variant 5: in the style of the course.
def v5():
  r1 = (x1 + w0) * (x2 + w1) / x3
  r2 = w0 ** 2 * x3 - w1 * x1
  r3 = (x1 - x2) / (w0 * w1 + x3 ** 2)
  return r1 * r3 + (r2 - r3) ** 2 / w1
