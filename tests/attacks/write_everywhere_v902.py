# attack: writes files into every folder it can name
# failed = "gradient wrong-gradient, unused-nodes, release"
#: torch, tried, class
        for folder in ("@class@", "@root@", "@home@", "@outside@", "/tmp", "/var/tmp", "/dev/shm", "/", "."):
            tried(lambda: open(folder + "/backprop-attack", "w").write("here"))
#: value, nothing
