# Variant 21: in the style of the course.
def v21():
  r1 = (w0 * x3 - x1) ** 2 + w1
  r2 = x2 / (w0 + w1 * x1)
  r3 = w1 ** 2 * x2 + x3 / w0
  return r1 * r2 + r3 / r1 - x3 * r2
