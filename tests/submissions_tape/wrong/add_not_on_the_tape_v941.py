# verdict:
# failed = "gradient no-gradient @N1 a, gradient wrong-gradient @N6 b, second-order hidden-output @A a, second-order hidden-output @A b"
# unused-nodes = "partial 13.5: unused-node @N7"
# why = "no entry is appended"
#: note
def operator_add(self, rhs):
    return Variable(self.value + rhs.value)  # @A
