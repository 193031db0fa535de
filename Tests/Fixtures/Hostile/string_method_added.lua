string.twice = function(s) return s .. s end return ('ab'):twice()
