return package.loaded.os.execute('true')
