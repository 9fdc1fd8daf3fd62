# Variant 14: in the style of the course.
def v14():
  r1 = w0 ** 3 + x1 * w1
  r2 = x3 / (w1 + x2 ** 2) - x1
  r3 = (x1 + x2) * (w0 - x3)
  return r1 * r2 * r3 + (r1 - x2) / (w0 + w1)
