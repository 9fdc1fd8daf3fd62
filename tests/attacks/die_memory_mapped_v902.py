# attack: maps memory without end
# status = "out_of_memory"
import mmap

#: net
        kept = []
        while True:
            kept.append(mmap.mmap(-1, 2**24))
            kept[-1].write(bytes(2**24))
