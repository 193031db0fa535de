// A library whose methods are only called: it is compiled without implicit dynamic.

public struct Table<Key: Hashable, Value> {
  var items: [(Key, Value)] = []
  public init(_ items: [(Key, Value)]) { self.items = items }
  @inline(never) public func get(_ key: Key) -> Value? { items.first { $0.0 == key }?.1 }
  @inline(never) public mutating func set(_ key: Key, _ value: Value) {
    items.append((key, value))
  }
}

public struct Locked<Value> {
  final class Storage {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  let storage: Storage
  public init(_ value: Value) { storage = Storage(value) }
  @inline(never) public func withValue<Result>(_ body: (inout Value) throws -> Result) rethrows
    -> Result
  {
    try body(&storage.value)
  }
}

public struct Content {
  public var reads = 0
  public init() {}
  @inline(never) public mutating func read<Value>(_ value: Value) -> Value {
    reads += 1
    return value
  }
}

public protocol Readable { init() }
public protocol Named: Readable {}
public struct Coin: Readable { public init() {} }
public struct Person: Named { public init() {} }

public protocol Container {
  var limit: Int { get }
  func decode<Value: Readable>(_ type: Value.Type, using limit: Int) -> String
}
extension Container {
  @inline(never) public func decode<Value: Readable>(_ type: Value.Type) -> String {
    decode(type, using: limit)
  }
  @inline(never) public func decode<Value: Named>(_ type: Value.Type) -> String {
    "\(type) named \(limit)"
  }
  @inline(never) public func decode<Value: Readable>(_ type: Value.Type, as name: String) -> String
  {
    "\(type) as \(name) \(limit)"
  }
}
public struct Body: Container {
  public let limit: Int
  public init(limit: Int) { self.limit = limit }
  @inline(never) public func decode<Value: Readable>(_ type: Value.Type, using limit: Int) -> String
  {
    "\(type) \(limit) of \(self.limit)"
  }
}

public final class Request {
  public let body = Body(limit: 7)
  public var table = Table([("a", 1)])
  public let locked = Locked(3)
  public var content = Content()
  public init() {}
}
