# Variant 4: in the style of the course.
def v4():
  r1 = x1 * w0 / (x2 + w1)
  r2 = (x3 ** 2 + w0 * x1) * (w1 - x2)
  r3 = w1 ** 3 + x1 / (w0 + x3)
  return (r1 - r2) * r3 / (1 + r1 ** 2)
