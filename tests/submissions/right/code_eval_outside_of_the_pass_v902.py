# verdict:
# why = "eval makes a number when the class is built; no op of the pass is of it"
#: model
        self.scale = eval("2 ** -1")
#: forward, pass, honest
