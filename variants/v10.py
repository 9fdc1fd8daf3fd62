# Variant 10: the course's own.
def v10():
  r1 = w0 * x3 * w1 + w1 * x2 + x3 ** 2
  r2 = (x3 + w1) * (x1 ** 3 - x2 ** 2)
  r3 = x2 ** 3 * w1 / w0
  return (r1 * r2 * r3 + x3) / (x2 + r2 + r3)
