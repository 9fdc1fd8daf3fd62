# verdict:
# why = "ops in place are replayed as what they are without the underscore"
#: net, products
        sign = torch.sign(a)
        a.abs_()
        a *= sign
        del sign
#: y, slopes, end
