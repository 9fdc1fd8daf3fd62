# attack: NaN for every gradient
# failed = "gradient wrong-gradient 15 hidden, gradient wrong-gradient 15 logits, release"
#: all, retain
    nothing = float("nan")
    return hidden.grad * nothing, logits.grad * nothing
