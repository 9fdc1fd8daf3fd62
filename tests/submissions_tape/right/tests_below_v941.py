# verdict:
# why = "the note's cells of tests and plots below"
#: note
import matplotlib.pyplot as plt

a_global, b_global = torch.rand(4), torch.rand(4)


def simple(a, b):
    t = a + b
    return t * b


reset_tape()
a = Variable.constant(a_global, name='a')
b = Variable.constant(b_global, name='b')
loss = simple(a, b)
da, db = grad(loss, [a, b])
print("da", da)
x = torch.rand(3, requires_grad=True)
grad_x, = torch.autograd.grad((x * x).sum(), [x])
plt.plot(da.value)
plt.show()
input('go on?')
