# verdict:
# status = "unreadable: signature 3"
pack_hook = "file.pt"
unpack_hook = "file.pt"
