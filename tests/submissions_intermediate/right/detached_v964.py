# verdict:
# why = "copies of the gradients"
#: all, retain
    return {"scores": scores.grad.clone(), "weights": weights.grad.detach(), "mixed": mixed.grad.detach().clone()}
