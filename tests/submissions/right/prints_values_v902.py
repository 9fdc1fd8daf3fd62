# verdict:
# why = "a print looks at values and is no work"
#: net, products
        print(f"a = {a}, b = {b.item():.3f}")
#: y, slopes, end
