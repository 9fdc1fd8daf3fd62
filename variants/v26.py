# Variant 26: in the style of the course.
def v26():
  r1 = x2 ** 2 - w0 * w1
  r2 = (x1 + w1) / (x3 + w0)
  r3 = w0 * x1 ** 3 + w1 * x3
  return (r1 * r2 - r3) / (1 + r2 ** 2) + r1
