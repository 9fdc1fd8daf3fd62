# verdict:
# why = "retain_grad on each"
#: all, retain, dict
