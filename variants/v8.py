# Variant 8: the course's own.
def v8():
  r1 = x3 * (w0 ** 2 + w1 ** 2)
  r2 = (x3 + w0 / w1) * (3 * w0 + x3 * w1)
  r3 = x3 - (w1 - x2) ** 2 / w0
  return r1 + r2 + r3 / (x1 - x2 - r1)
