# verdict:
# failed = "gradient, release, integrity not-from-graph @A prediction, integrity not-from-graph @B residual"
# why = "worked out by hand"
#: start, forward
    grad = 2 * residual / len(y)  # @A
    return {"prediction": grad, "residual": grad.clone()}  # @B
