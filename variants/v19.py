# Variant 19: in the style of the course.
def v19():
  r1 = (w0 + x1) / w1 - x2
  r2 = x2 * x3 * (w0 - w1) ** 2
  r3 = w1 * x1 ** 2 + w0 * x3
  return r3 / (r2 + x1) + r1 * r3 - r2
