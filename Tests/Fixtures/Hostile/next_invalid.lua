return next({}, 'x')
