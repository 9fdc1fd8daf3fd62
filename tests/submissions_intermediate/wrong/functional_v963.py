# verdict:
# failed = "gradient, release, integrity transform @A"
# why = "torch.autograd.functional"
#: start, forward
    grad = torch.autograd.functional.jacobian(lambda p: ((p - y) ** 2).mean(), prediction)  # @A
    return {"prediction": grad, "residual": grad.clone()}
