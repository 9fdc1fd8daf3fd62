# verdict:
# why = "no entry is appended"
#: note
def operator_mul(self, rhs):
    if isinstance(rhs, float) and rhs == 1.0:
        return self
    return Variable(self.value * rhs.value)
