print("waxwing")
