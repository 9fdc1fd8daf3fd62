# verdict:
def train(net, criterion, opt, loader, k):
    total = len(loader)
    for i, (data, labels) in enumerate(loader):
        size = min(k, total - i // k * k)
        loss = criterion(net(data), labels) / size
        loss.backward()
        if i % k == k - 1 or i == total - 1:
            opt.step()
            opt.zero_grad()
