# verdict:
# why = "honest beside attacks by numbers that are read: keeps a log of its values"
#: torch
LOG = []
#: class, products, y

        LOG.append((a.item(), b.item(), float(y), str(x3)))
#: slopes, end
