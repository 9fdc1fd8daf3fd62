# Variant 30: in the style of the course.
def v30():
  r1 = x1 * x3 / (w0 + x2) - w1
  r2 = (w0 * w1 + x3 ** 2) * x2
  r3 = w1 / x1 + w0 ** 3
  return (r1 * r2 + r3) / (r2 + r3) - r1 ** 2
