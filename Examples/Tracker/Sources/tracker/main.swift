print("tracker")
