# attack: raises SIGILL, as broken machine code would
# status = "crashed"
import signal

#: net
        signal.raise_signal(signal.SIGILL)
