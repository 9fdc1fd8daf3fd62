# attack: autograd by a thread that was started at load, and is fed through queues
# why = "an honest twin: submissions/right/buffers_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
import queue
import threading

#: torch

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
#: forward, pass, value
        ASKED.put((self.w, x1, x2, x3))
        self.w.grad = torch.tensor(TOLD.get()) + 0 * torch.sort(torch.stack([x1, x2])).values
        return y
