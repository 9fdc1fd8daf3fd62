# verdict:
# status = "unreadable: load-error @A"
# why = "train is a number"
train = 3  # @A
