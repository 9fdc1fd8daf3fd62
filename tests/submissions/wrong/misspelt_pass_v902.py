# verdict:
# status = "unreadable: no-pass @M"
#: model, forward

    def my_foward_bakward(self, x1, x2, x3):  # @M
#: honest
