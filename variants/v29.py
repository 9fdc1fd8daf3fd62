# Variant 29: in the style of the course.
def v29():
  r1 = (w0 + w1 * x1 - x2) ** 2
  r2 = x3 / (w1 + x1 * w0)
  r3 = w0 * x2 - w1 * x3 ** 2
  return r1 * r3 + r2 / (x2 + r1 * w0)
