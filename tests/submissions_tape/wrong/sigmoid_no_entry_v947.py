# verdict:
# failed = "gradient no-gradient @N1 x, none, unused-nodes, release, second-order wrong-second-order @N1 x"
# why = "nothing on the tape"
#: note
def sigmoid(x):
    return Variable(torch.sigmoid(x.value))
