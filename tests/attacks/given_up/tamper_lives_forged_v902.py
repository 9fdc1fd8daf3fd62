# attack: keeps all values, and makes the watch say that each died in time
# why = "the child alone sees when a storage dies, and code that searches it can change how it looks; that takes more than the homework"
import gc

#: net
        for item in gc.get_objects():
            if type(item).__name__ == "StorageWatch":
                lives = type(item).lives

                def forged(self):
                    return tuple(type(v)(v.storage, v.born, v.last_use, v.last_use + 1) for v in lives(self))

                type(item).lives = forged
                break
#: values
        dw0 = b * x1
        dw1 = a * x2
#: end
