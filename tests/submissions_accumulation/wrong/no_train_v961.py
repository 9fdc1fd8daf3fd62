# verdict:
# status = "unreadable: no-function"
# why = "another name"
def train_one_epoch(model, loss_fn, optimizer, batches, accumulation_steps):
    pass
