# attack: writes to the terminal directly
# failed = "gradient wrong-gradient, unused-nodes, release"
#: torch, tried, class
        for attempt in (
            lambda: open("/dev/tty", "w").write("\x1b]0;100 points\x07"),
            lambda: open("/dev/stdout", "w").write("100 points"),
            lambda: open("/dev/pts/0", "w").write("100 points"),
            lambda: open("/proc/self/fd/1", "w").write("100 points"),
        ):
            tried(attempt)
#: value, nothing
