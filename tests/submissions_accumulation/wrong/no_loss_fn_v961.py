# verdict:
# status = "unreadable: signature @A"
# why = "four arguments"
def train(model, optimizer, batches, accumulation_steps):  # @A
    pass
