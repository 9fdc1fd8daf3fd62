# verdict:
# failed = "gradient no-gradient @N1 a, gradient no-gradient @N1 b, none, unused-nodes, release, second-order wrong-second-order @N1 a, second-order wrong-second-order @N1 b"
# why = "no entry is appended"
#: note
def operator_sum(self, name):
    return Variable(torch.sum(self.value), name=name)
