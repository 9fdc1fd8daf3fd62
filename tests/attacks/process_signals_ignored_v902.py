# attack: ignores every signal and sleeps for ever
# status = "timeout"
import signal
import time

#: torch, tried, class
        for number in signal.valid_signals():
            tried(lambda: signal.signal(number, signal.SIG_IGN))
        while True:
            tried(lambda: time.sleep(600))
