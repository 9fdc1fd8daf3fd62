# Variant 1: in the style of the course.
def v1():
  r1 = x3 * (x1 / x2 + w1 / w0)
  r2 = x1 * x2 * x3 / (w0 + w1)
  r3 = (w0 * w1) ** 3
  return (r1 + r2 + r3) / (x1 * r1 + r2 + r3)
