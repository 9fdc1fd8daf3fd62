# Variant 16: in the style of the course.
def v16():
  r1 = w0 * (x1 ** 2 - x2)
  r2 = w1 * (x3 ** 2 + x1)
  r3 = (w0 + x3) ** 2 / (w1 + x2)
  return r1 * r2 / (r3 + x1) + r3 * x2 - r1
