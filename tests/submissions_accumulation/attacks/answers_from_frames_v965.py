# attack: looks for right values in all frames and objects
# failed = "parameters wrong-scale @A, scaling wrong-scale @A"
import gc
import sys


def train(model, loss_fn, optimizer, batches, accumulation_steps):
    frame = sys._getframe()
    names = []
    while frame is not None:
        names += list(frame.f_locals)
        frame = frame.f_back
    wanted = [o for o in gc.get_objects() if type(o).__name__ == "TrainingReference"]
    assert not wanted and "expected" not in names
    for i, (x, y) in enumerate(batches):
        loss_fn(model(x), y).backward()  # @A
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
