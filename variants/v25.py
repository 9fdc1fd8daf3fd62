# Variant 25: in the style of the course.
def v25():
  r1 = (x1 + 2 * w0) / (x2 + 2 * w1)
  r2 = x3 * (w0 - x2) ** 2
  r3 = x1 * w1 ** 2 - x3 / w0
  return r1 * (r2 + r3) + r2 / (w1 * x3 + r1)
