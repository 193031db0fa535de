require(('../'):rep(100) .. 'etc/passwd')
