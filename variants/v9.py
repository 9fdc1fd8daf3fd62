# Variant 9: in the style of the course.
def v9():
  r1 = x1 ** 2 / w0 + x2 * w1
  r2 = (x3 - x1) * (w0 + w1) ** 2
  r3 = w0 * x2 * x3 + 2 / w1
  return r1 + r2 * r3 / (r1 + x3 ** 2)
