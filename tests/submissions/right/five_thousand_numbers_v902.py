# verdict:
# why = "a tensor that is too large to be replayed: the pass is judged on its own runs"
#: net, products
        a = a.expand(5000).clone().mean()
#: y, slopes, end
