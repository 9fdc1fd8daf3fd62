# verdict:
# status = "unreadable: syntax-error @A"
# why = "a bracket is missing"
def train(model, loss_fn, optimizer, batches, accumulation_steps):
    for i, (x, y) in enumerate(batches:  # @A
        pass
