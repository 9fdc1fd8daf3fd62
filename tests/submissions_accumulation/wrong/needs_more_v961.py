# verdict:
# status = "unreadable: signature @A"
# why = "a sixth argument"
def train(model, loss_fn, optimizer, batches, accumulation_steps, device):  # @A
    pass
