# verdict:
#: torch, rows
STEPS = []
for row in ROWS:
    STEPS.append(row)


def helper(a, b):
    return a * b


print(STEPS, helper(2.0, 3.0))
assert len(STEPS) == 4, "an old test: it fails, and nobody needs it"
data = [helper(i, 2) for i in range(10)]
for epoch in range(3):
    print(epoch, STEPS[epoch], input("next?"))
#: by_steps

net = Net()
for x in data:
    STEPS.append(net(torch.tensor(x), torch.tensor(1.0), torch.tensor(1.0)))
    net.w.grad.zero_()
STEPS.clear() if net.w.grad.sum() else input()
