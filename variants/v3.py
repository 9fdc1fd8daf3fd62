# Variant 3: in the style of the course.
def v3():
  r1 = (w0 ** 2 + x1) / (w1 + x2)
  r2 = x3 * w1 - x1 * x2 ** 2
  r3 = (w0 - x3) ** 3 / (x1 + w1 ** 2)
  return r1 * r2 + r3 / (r1 + x3)
