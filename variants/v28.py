# Variant 28: in the style of the course.
def v28():
  r1 = x1 / w0 + x2 / w1
  r2 = (w0 ** 2 - x3) * (w1 ** 2 + x1)
  r3 = x2 * x3 + w0 / (x1 + w1)
  return r1 + r2 / (r1 + r3) + x3 * r2
