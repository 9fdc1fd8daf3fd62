# verdict:
# failed = "gradient no-gradient @N1 a, gradient no-gradient @N1 b, none, unused-nodes, release, second-order wrong-second-order @N1 a, second-order wrong-second-order @N1 b"
# why = "no entry is appended"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    return Variable(self.value * rhs.value)
