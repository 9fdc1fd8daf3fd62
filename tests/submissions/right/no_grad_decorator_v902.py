# verdict:
#: model, forward, pass_without_grad, honest
