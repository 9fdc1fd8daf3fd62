# verdict:
# why = "from the loss to logits, and on to hidden"
#: all
    (d_logits,) = torch.autograd.grad(loss, logits, retain_graph=True)
    (d_hidden,) = torch.autograd.grad(logits, hidden, grad_outputs=d_logits)
    return {"hidden": d_hidden, "logits": d_logits}
