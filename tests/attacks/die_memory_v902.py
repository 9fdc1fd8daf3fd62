# attack: takes memory without end
# status = "out_of_memory"
#: net
        kept = []
        while True:
            kept.append(torch.ones(10**6))
