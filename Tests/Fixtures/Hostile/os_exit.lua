os.exit(3, true)
