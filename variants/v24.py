# Variant 24: in the style of the course.
def v24():
  r1 = w0 ** 2 / w1 + x1 * x2
  r2 = (x3 + w1) ** 3 - w0 * x2
  r3 = x1 / (x3 + w0)
  return (r1 + r2) / (r1 * r3 + x3) - r3
