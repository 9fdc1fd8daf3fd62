# verdict:
# why = "the forward in a function of its own"
#: imports
def forward(x, y, w, b):
    prediction = x @ w + b
    prediction.retain_grad()
    residual = prediction - y
    residual.retain_grad()
    return prediction, residual, residual.pow(2).mean()


def gradients(x, y, w, b):
    prediction, residual, loss = forward(x, y, w, b)
    loss.backward()
#: dict
