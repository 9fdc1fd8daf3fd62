# Variant 2: in the style of the course.
def v2():
  r1 = w0 * x1 + x2 / w1
  r2 = (x3 - w0 * w1) ** 2
  r3 = x1 * x3 / (w0 + x2)
  return (r1 * r2 + r3) / (r1 + w1 * x3)
