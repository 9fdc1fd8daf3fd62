# verdict:
# failed = "gradient, release, integrity input-changed @A w"
# why = "a step of gradient descent"
#: all, retain
    with torch.no_grad():
        w -= 0.1 * w.grad  # @A
#: dict
