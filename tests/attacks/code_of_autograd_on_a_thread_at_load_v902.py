# attack: coefficients of the gradient, by autograd on a thread at load
# failed = "integrity autograd, gradient, unused-nodes, release"
import threading

#: model
        global K
        w = torch.ones(2, requires_grad=True)

        def work():
            (w[0] * w[1] + 0.5).backward()

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        K = w.grad.tolist()
#: forward, pass, value
        self.w.grad = torch.stack([K[0] * w1 * x2 * x1, K[1] * w0 * x1 * x2])
        return y
