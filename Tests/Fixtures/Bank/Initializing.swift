// SPDX-License-Identifier: MIT

/// Initializers that end the program unless an override makes the value.
public struct Interval: Equatable {
  public var from: Int
  public let to: Int
  public init(from: Int, to: Int) {
    precondition(from <= to, "an interval ends before it begins")
    self.from = from
    self.to = to
  }
  public init(length: Int) { self.init(from: 0, to: length) }
  public init?(text: String) {
    guard let to = Int(text) else { return nil }
    self.init(length: to)
  }
  public init(checking length: Int) throws {
    if length < 0 { throw BankError.closed }
    self.init(length: length)
  }
  public init(later length: Int) async throws {
    await Task.yield()
    try self.init(checking: length)
  }
  public init(counting calls: inout Int) {
    calls += 1
    self.init(length: calls)
  }
}

/// Returned by way of an address.
public struct Article: Equatable {
  public var title: String
  public var words: [String]
  public var author: String
  public var year: Int
  public init(_ title: String) {
    precondition(!title.isEmpty)
    self.title = title
    words = [title]
    author = "nobody"
    year = 2000
  }
}

public struct Tagged<Value> {
  public var value: Value
  public var label: String
  public init(_ value: Value, _ label: String) {
    precondition(!label.isEmpty)
    self.value = value
    self.label = label
  }
}

public struct Grip<Object: AnyObject> {
  public var object: Object
  public let count: Int
  public init(_ object: Object, _ count: Int) {
    precondition(count >= 0)
    self.object = object
    self.count = count
  }
}

public enum Outcome: Equatable {
  case good
  case bad(String)
  public init(_ code: Int) {
    precondition(code >= 0)
    self = code == 0 ? .good : .bad("\(code)")
  }
}
