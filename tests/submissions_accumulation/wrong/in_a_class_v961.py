# verdict:
# status = "unreadable: no-function"
# why = "a method"
class Trainer:
    def train(self, model, loss_fn, optimizer, batches, accumulation_steps):
        pass
