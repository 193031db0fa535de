_ENV = nil
