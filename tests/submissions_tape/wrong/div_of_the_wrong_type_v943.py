# verdict:
# failed = "forward raises @N8, gradient, none, unused-nodes, release"
# why = "/ gives a tensor"
#: note, minus
def operator_div(self, rhs):
    return self.value / rhs.value


Variable.__truediv__ = operator_div
