# attack: dual numbers are made and taken apart on a thread, which no mode sees; the pass calculates with them
# failed = "integrity forward-ad, gradient, unused-nodes, release"
import threading

#: torch
def on_a_thread(function, *args, **kwargs):
    found = []
    thread = threading.Thread(target=lambda: found.append(function(*args, **kwargs)))
    thread.start()
    thread.join()
    return found[0]


#: class
        level = on_a_thread(torch._C._enter_dual_level)
        tangents = [*torch.eye(2), *torch.zeros(3, 2)]
        w0, w1, x1, x2, x3 = (
            on_a_thread(torch._VF._make_dual, torch.stack([leaf, leaf]), tangent, level=level)
            for leaf, tangent in zip((*self.w, x1, x2, x3), tangents)
        )
        both = w0 * x1 * (w1 * x2) + x3
        y, self.w.grad = on_a_thread(torch._VF._unpack_dual, both, level=level)
        on_a_thread(torch._C._exit_dual_level, level=level)
        return y[0]
