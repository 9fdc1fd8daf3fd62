# verdict:
# why = "honest beside attacks that hide behind ops that are hard to replay: factors in sorted order"
#: net, products
        low, high = torch.sort(torch.stack([a, b])).values
        y = low * high + x3
        del low, high
#: slopes, end
