# attack: defines what pytest would call
# failed = "gradient wrong-gradient, unused-nodes, release"
#: net, value, nothing


def pytest_configure(config):
    open("@outside@/hook", "w").write("ran")


def pytest_collection_modifyitems(items):
    items.clear()


def pytest_runtest_makereport(item, call):
    raise SystemExit(0)


def test_passes():
    open("@outside@/test", "w").write("ran")


pytest_plugins = ["os"]
collect_ignore_glob = ["*"]
