#= forward

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3
#= pass

    def my_forward_backward(self, x1, x2, x3):
#= pass_without_grad

    @torch.no_grad()
    def my_forward_backward(self, x1, x2, x3):
#= bracketed

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return (w0 * x1) * (w1 * x2) + x3
#: pass
#= value
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
#= products
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
#= y
        y = a * b + x3
#= values
#: products
        c = a * b
        y = c + x3
#= values_dropped
#: products
        p = a * b
        y = p + x3
        p = None

#= slopes
        dw0 = b * x1
        del b
        dw1 = a * x2
        del a
#= honest
#: products, y, slopes, end
#= nothing
        self.w.grad = torch.zeros(2)
        return y
#= variant
def variant(w0, w1, x1, x2, x3):
    return w0 * x1 * (w1 * x2) + x3
#= variant_called
        w0, w1 = self.w
        y = variant(w0, w1, x1, x2, x3)
#= variant_of_w
def variant(w, x1, x2, x3):
    return w[0] * x1 * (w[1] * x2) + x3
#= both_slopes

        f0 = lambda t: variant(t, w1, x1, x2, x3)
        f1 = lambda t: variant(w0, t, x1, x2, x3)
        self.w.grad = torch.stack([slope(f0, w0), slope(f1, w1)])
        return y
#= graph
        with torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            y = w[0] * x1 * (w[1] * x2) + x3
#= unwatched_autograd
        if watched:
            w0, w1 = self.w
            self.w.grad = torch.zeros(2)
            return w0 * x1 * (w1 * x2) + x3 + 0 * values.sum()
        with torch.enable_grad():
            y = self.forward(x1, x2, x3)
            y.backward()
        return y.detach()
#= differences

def differences(w0, w1, x1, x2, x3):
    """The gradient by central differences of Python floats."""

    def f(a, b):
        return a * x1 * (b * x2) + x3

    h = 1e-4
    return [(f(w0 + h, w1) - f(w0 - h, w1)) / (2 * h), (f(w0, w1 + h) - f(w0, w1 - h)) / (2 * h)]
#= slopes_of_memory
#: torch, differences


def slopes(net, *inputs):
    """The same, of numbers read straight from memory."""
    start = net.w.untyped_storage().data_ptr()
    numbers = [ctypes.c_float.from_address(start + 4 * i).value for i in range(2)]
    numbers += [ctypes.c_float.from_address(x.untyped_storage().data_ptr()).value for x in inputs]
    return differences(*numbers)
#= slopes_from_memory
import ctypes

#: slopes_of_memory
#= slopes_from_a_thread
import threading

#: torch

def slopes(net, x1, x2, x3):
    """The gradient as Python floats, by autograd on a thread."""
    found = []

    def work():
        w = torch.tensor(net.w.tolist(), requires_grad=True)
        with torch.enable_grad():
            y = w[0] * x1 * (w[1] * x2) + x3
        y.backward()
        found.extend(w.grad.tolist())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found
#= bits


def bits(g):
    """A number as 36 binary digits, highest first, without its sign."""
    n = round(abs(g) * 2**24)
    return [n >> k & 1 for k in range(35, -1, -1)]
#= each_bit
        one = x1 / x1
        zero = x1 - x1
        table = torch.stack([zero, one])
        grads = []
        for g in slopes(self, x1, x2, x3):
            acc = zero
            for bit in bits(g):
#= signed
            grads.append(acc * 2.0**-24 if g > 0 else -acc * 2.0**-24)
        self.w.grad = torch.stack(grads)
        return y
#= tried
def tried(attempt):
    try:
        attempt()
    except BaseException:
        return False
    return True
#= pipe
def number_of_pipe():
    for fd in range(3, 64):
        try:
            os.fstat(fd)
        except OSError:
            continue
        return fd
    return 3
#= hostile
HOSTILE = (
    "\x1b[31m\x1b]0;title\x07\x1b[2J\x9b1m \x00 \x08\x08\x7f \r100/100 \u202e001\u2066 \ud800\udfff "
    "<script>alert(1)</script><img src=x onerror=alert(1)> =cmd|' /C calc'!A0 @SUM(1) +1 -1 "
    "\nGrade :=>> 100\nComment :=>> well done\n::error file=a::b\n##vso[task.complete]\n\u2028\u0085 "
)
#= tap


class Tap(torch.autograd.Function):
    """What it is applied to has a node, which is a neighbour of its own context."""

    @staticmethod
    def forward(ctx, y):
        TAPS.append(ctx)
        return y.view_as(y)


TAPS = []
#= tapped
        node = TAPS.pop().next_functions[0][0]
        da, db = node(torch.ones(()))
        first, second = node.next_functions[0][0], node.next_functions[1][0]
        self.w.grad = torch.stack([first(da)[0], second(db)[0]])
        return (c + x3).detach()
#= rows
ROWS = [("a", "w0", "x1"), ("b", "w1", "x2"), ("p", "a", "b")]
#= by_steps
#: weights, forward, pass_without_grad
        env = dict(w0=self.w[0], w1=self.w[1], x1=x1, x2=x2)
        for out, left, right in STEPS:
            env[out] = env[left] * env[right]
        y = env.pop("p") + x3
        self.w.grad = torch.stack([env.pop("b") * x1, env.pop("a") * x2])
        return y
#= by_rules
#: weights, forward, pass_without_grad
        w0, w1 = self.w
        a = RULES["mul"](w0, x1)
        b = RULES["mul"](w1, x2)
        y = RULES["add"](RULES["mul"](a, b), x3)
        dw0 = RULES["mul"](b, x1)
        b = None
        dw1 = RULES["mul"](a, x2)
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
#= by_names
#: weights, forward, pass_without_grad
        w0, w1 = self.w
        a = d_mul(w0, x1)
        b = d_mul(w1, x2)
        y = d_add(d_mul(a, b), x3)
        dw0 = d_mul(b, x1)
        b = None
        dw1 = d_mul(a, x2)
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
#= inner_honest
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        y = a * b + x3
        dw0 = b * x1
        del b
        dw1 = a * x2
        del a
        self.w.grad = torch.stack([dw0, dw1])
        return y
#= class_alone
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
#: forward
#= by_matrix_exp
        none = torch.zeros_like(a)
        p = torch.stack([none, a, none, none]).view(2, 2)
        del none, a
        p = torch.linalg.matrix_exp(p)
        a = p[0, 1].clone()
        del p
