# verdict:
# failed = "gradient, release, integrity not-from-graph @A residual"
# why = "the value of one"
#: start
    prediction = x @ w + b
    residual = prediction - y  # @A
#: loss, retain
    return {"prediction": prediction.grad, "residual": residual.detach()}
