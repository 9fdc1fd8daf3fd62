# verdict:
# why = "no entry is appended"
#: note
def operator_add(self, rhs):
    return Variable(self.value + rhs.value)
