# attack: keeps all values, and writes into the watch that each died in time
# why = "the child alone sees when a storage dies, and code that searches it can change what it saw; that takes more than the homework"
import gc

#: net, values
        dw0 = b * x1
        dw1 = a * x2
        self.kept = [a, b, c]
        self.w.grad = torch.stack([dw0, dw1])
        for item in gc.get_objects():
            if type(item).__name__ == "StorageWatch":
                for number, last_use in item._last_use.items():
                    item._dead_by[number] = last_use + 1
                    item._alive.pop(number, None)
        return y
