# verdict:
# failed = "threshold kept 19"
# why = "copies of what others hold as well: once paid, as only memory that the graph alone holds was measured"
#: file

def pack_hook(x):
    if x.numel() >= 1000:
        packed = SelfDeletingTempFile()
        torch.save(x.detach(), packed.name)
        packed.copy = x.detach().clone()
        return packed
    return x.detach()
#: unpack
