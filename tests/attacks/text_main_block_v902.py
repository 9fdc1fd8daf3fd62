# attack: code that runs where a file is imported or started
# failed = "gradient wrong-gradient, unused-nodes, release"
#: net, value, nothing

open("@outside@/imported", "w").write("ran")

if __name__ == "__main__":
    open("@outside@/main", "w").write("ran")
