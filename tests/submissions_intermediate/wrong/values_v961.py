# verdict:
# failed = "gradient, release, integrity not-from-graph @F hidden, integrity not-from-graph @G logits"
# why = "values for gradients"
#: start
    hidden = torch.tanh(x @ w)  # @F
    logits = hidden @ v  # @G
#: loss, retain
    return {"hidden": hidden, "logits": logits}
