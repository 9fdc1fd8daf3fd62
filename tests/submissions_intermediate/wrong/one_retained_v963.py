# verdict:
# gradient = "partial 35: no-gradient @A prediction"
# why = "retain_grad on one of two"
#: all
    residual.retain_grad()
    loss.backward()
    return {  # @A
        "prediction": prediction.grad,
        "residual": residual.grad,
    }
