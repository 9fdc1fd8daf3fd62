# verdict:
# slow = true
# status = "out_of_memory"
#: net
        kept = []
        while True:
            kept.append(torch.ones(50_000_000))
