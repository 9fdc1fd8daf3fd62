# Variant 15: in the style of the course.
def v15():
  r1 = (x1 - w0) * (x2 - w1)
  r2 = x3 ** 2 / (w0 * w1)
  r3 = x1 / w1 + x2 / w0 + x3
  return (r1 + r2 * r3) / (r2 + r3)
