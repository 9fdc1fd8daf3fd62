# Variant 13: in the style of the course.
def v13():
  r1 = x2 / w0 - x1 * w1 ** 2
  r2 = (w0 + x3) / (w1 + x1)
  r3 = x1 * x2 + w0 * w1 * x3
  return (r2 + r3) ** 2 / (r1 ** 2 + r2)
