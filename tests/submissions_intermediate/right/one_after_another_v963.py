# verdict:
# why = "one call for each, the graph kept for the next"
#: all
    (d_prediction,) = torch.autograd.grad(loss, prediction, retain_graph=True)
    (d_residual,) = torch.autograd.grad(loss, residual)
    return {"prediction": d_prediction, "residual": d_residual}
