# verdict:
# failed = "gradient no-gradient @N1 a, gradient wrong-gradient @N6 b, second-order wrong-second-order @N1 a, second-order wrong-second-order @N6 b"
# unused-nodes = "partial 13.5: unused-node @N7"
# why = "no entry is appended"
#: note
def operator_add(self, rhs):
    return Variable(self.value + rhs.value)
