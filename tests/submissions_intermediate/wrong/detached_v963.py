# verdict:
# failed = "gradient raises @A, release"
# why = "a detached tensor keeps no gradient"
#: start
    prediction = (x @ w + b).detach()
    residual = prediction - y
    prediction.retain_grad()  # @A
#: loss
    loss.backward()
#: dict
