# verdict:
# why = "as in the course's note"
import torch


class MyReLU(torch.autograd.Function):
    # Forward propagation logic, ctx stores values for back propagation.
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return input.clamp(min=0)

    # Back propagation logic
    @staticmethod
    def backward(ctx, grad_output):
        input, = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[input < 0] = 0
        return grad_input


w = torch.tensor([[3.0, 1.0]], requires_grad=True)
b = torch.tensor([[3.0]], requires_grad=True)
X = torch.tensor([[-1.0, -1.0], [1.0, 1.0]])
Y = torch.tensor([[2.0, 3.0]])

relu = MyReLU.apply
Y_hat = relu(X @ w.t() + b)
loss = torch.mean(torch.pow(Y_hat - Y, 2))
loss.backward()

print(w.grad)
print(b.grad)
print(Y_hat.grad_fn)
