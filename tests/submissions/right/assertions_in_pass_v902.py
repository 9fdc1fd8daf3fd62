# verdict:
# why = "an assertion on a value decides, and is no node of the result"
#: net, products
        assert a.shape == b.shape and not torch.isnan(a)
#: y, slopes, end
