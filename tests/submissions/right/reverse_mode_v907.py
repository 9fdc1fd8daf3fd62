# verdict:
#: net, honest
