# Variant 20: in the style of the course.
def v20():
  r1 = x3 * (w0 + w1) / (x1 + x2)
  r2 = w0 * x1 - (w1 * x2) ** 2
  r3 = x1 ** 3 + x3 / w0
  return (r1 ** 2 + r2) / (r1 + r3) + r2 * x3
