# verdict:
# variant = "v902"
# attack = "autograd by a thread that was started at load, and is fed through queues"
# why = "an honest twin: submissions/right/buffers_v902.py"
# manual-forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["manual-forward hidden-work - -", "integrity hidden-work - -"]
import queue
import threading

import torch
from torch import nn


def answers():
    while True:
        w, x1, x2, x3 = ASKED.get()
        w = w.detach().clone().requires_grad_()
        with torch.enable_grad():
            (w[0] * x1 * (w[1] * x2) + x3).backward()
        TOLD.put(w.grad.tolist())


def started():
    thread = threading.Thread(target=answers, daemon=True)
    thread.start()
    return thread


ASKED, TOLD = queue.Queue(), queue.Queue()
WORKER = started()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.worker = WORKER
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        ASKED.put((self.w, x1, x2, x3))
        self.w.grad = torch.tensor(TOLD.get()) + 0 * torch.sort(torch.stack([x1, x2])).values
        return y
