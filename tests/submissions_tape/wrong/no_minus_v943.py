# verdict:
# failed = "forward raises 18, gradient, none, unused-nodes, release"
# why = "the operator is a function that the class does not call"
#: note, div
def operator_sub(self, rhs):
    return self + rhs * Variable(torch.tensor(-1.0))
