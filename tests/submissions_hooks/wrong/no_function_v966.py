# verdict:
# status = "unreadable: load-error 3"
pack_hook = "file.pt"
unpack_hook = "file.pt"
