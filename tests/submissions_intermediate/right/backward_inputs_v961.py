# verdict:
# why = "only the intermediates get a .grad"
#: all
    loss.backward(inputs=[hidden, logits])
    return {"hidden": hidden.grad, "logits": logits.grad}
