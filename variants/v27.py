# Variant 27: in the style of the course.
def v27():
  r1 = w1 * (x1 + x2) ** 2 / w0
  r2 = x3 - w0 * x1 + w1 ** 2
  r3 = (w0 + x2) * (w1 + x3)
  return (r1 - r2) / r3 + r2 * r3
