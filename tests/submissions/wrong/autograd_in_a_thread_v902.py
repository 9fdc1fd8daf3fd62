# verdict:
# why = "the recorder does not see ops of other threads, but the replay does, and the watch sees the engine"
# failed = "integrity hidden-work @P, integrity autograd @T, gradient, unused-nodes, release"
import threading

#: model, forward

    def my_forward_backward(self, x1, x2, x3):  # @P
        w = self.w.detach().clone().requires_grad_()

        def work():
            with torch.enable_grad():
                (w[0] * x1 * (w[1] * x2) + x3).backward()  # @T

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
#: value
        self.w.grad = w.grad
        return y
