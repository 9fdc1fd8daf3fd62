# verdict:
# why = "nothing on the tape"
#: note
def sigmoid(x):
    return Variable(torch.sigmoid(x.value))
