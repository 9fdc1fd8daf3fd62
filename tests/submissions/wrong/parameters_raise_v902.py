# verdict:
# why = "raises between loading and the first run"
# status = "unreadable: load-error @P"
#: model

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        raise ValueError("which?")  # @P
#: forward, pass, honest
