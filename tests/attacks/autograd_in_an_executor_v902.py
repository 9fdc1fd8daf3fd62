# attack: autograd in a thread pool
# failed = "integrity hidden-work, gradient, unused-nodes, release"
import concurrent.futures

#: torch
def work(w, x1, x2, x3):
    with torch.enable_grad():
        w.requires_grad_()
        return torch.autograd.grad(w[0] * x1 * (w[1] * x2) + x3, w)[0]
#: class, value
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            self.w.grad = pool.submit(work, self.w.detach().clone(), x1, x2, x3).result()
        return y
