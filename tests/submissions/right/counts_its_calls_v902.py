# verdict:
# why = "honest beside attacks that count their calls"
#: model
        self.calls = 0
#: forward, pass
        self.calls += 1
#: products, y

        if self.calls % 3 == 0:
            print(self.calls)
#: slopes, end
