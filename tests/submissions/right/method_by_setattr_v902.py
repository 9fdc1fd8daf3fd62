# verdict:
#: model, forward


def by_hand(self, x1, x2, x3):
#: honest

setattr(Net, "my_forward_backward", by_hand)
