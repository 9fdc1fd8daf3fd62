# verdict:
# why = "no entry is appended"
#: note
def operator_sum(self, name):
    return Variable(torch.sum(self.value), name=name)
