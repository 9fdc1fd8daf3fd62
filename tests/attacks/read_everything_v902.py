# attack: walks the whole file system
# failed = "gradient wrong-gradient, unused-nodes, release"
import glob

#: net
        found = [path for top in ("@root@", "@home@", "/home", "/root", "/tmp", "/etc", "/proc") for path in glob.glob(top + "/*", recursive=True)]
        if found:
            raise ValueError(str(found))
#: value, nothing
