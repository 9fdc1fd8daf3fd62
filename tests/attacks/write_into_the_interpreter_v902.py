# attack: writes into the interpreter's own libraries
# failed = "gradient wrong-gradient, unused-nodes, release"
import os
import sysconfig

#: torch, tried, class
        for attempt in (
            lambda: open(torch.__file__, "a").write("#"),
            lambda: open(sysconfig.get_paths()["purelib"] + "/backprop-attack.pth", "w").write("import os"),
            lambda: open(os.__file__, "r+").write("#"),
        ):
            tried(attempt)
#: value, nothing
