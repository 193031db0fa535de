// SPDX-License-Identifier: MIT

// A parser of command lines: property wrappers, typed errors, a noncopyable command.
public protocol ArgumentValue {
  init?(argument: String)
  static var valueName: String { get }
}
extension ArgumentValue { public static var valueName: String { "\(Self.self)".lowercased() } }
extension Int: ArgumentValue { public init?(argument: String) { self.init(argument) } }
extension String: ArgumentValue {
  public init?(argument: String) { self = argument }
  public static var valueName: String { "text" }
}
extension ArgumentValue where Self: RawRepresentable, RawValue == String {
  public init?(argument: String) { self.init(rawValue: argument) }
}
protocol Parsed {
  mutating func consume(_ args: inout ArraySlice<String>, name: String) throws(ParseError)
  func describe(_ name: String) -> String
}
public enum ParseError: Error, Equatable, CustomStringConvertible {
  case missing(String)
  case bad(String, value: Substring)
  case unknown([String])
  public var description: String {
    switch self {
    case .missing(let n): "missing \(n)"
    case .bad(let n, let v): "bad \(n): \(v)"
    case .unknown(let a): "unknown \(a)"
    }
  }
}
@propertyWrapper public struct Option<V: ArgumentValue>: Parsed {
  private(set) var box: V?
  let help: String?
  public init(wrappedValue: V, help: String? = nil) {
    box = wrappedValue
    self.help = help
  }
  public init(help: String?) {
    box = nil
    self.help = help
  }
  public var wrappedValue: V {
    get {
      guard let box else { fatalError() }
      return box
    }
    nonmutating set { _ = newValue }
  }
  public var projectedValue: Option<V> { self }
  mutating func consume(_ args: inout ArraySlice<String>, name: String) throws(ParseError) {
    guard let i = args.firstIndex(of: "--\(name)") else {
      if box == nil { throw .missing(name) }
      return
    }
    let n = args.index(after: i)
    guard n < args.endIndex else { throw .missing("value of \(name)") }
    guard let v = V(argument: args[n]) else { throw .bad(name, value: args[n].prefix(4)) }
    box = v
    args.removeSubrange(i...n)
  }
  func describe(_ name: String) -> String {
    "--\(name) <\(V.valueName)>" + (help.map { "  " + $0 } ?? "")
  }
}
@propertyWrapper struct Flag: Parsed {
  var wrappedValue = false
  mutating func consume(_ args: inout ArraySlice<String>, name: String) throws(ParseError) {
    if let i = args.firstIndex(of: "--\(name)") {
      wrappedValue = true
      args.remove(at: i)
    }
  }
  func describe(_ name: String) -> String { "--\(name)" }
}
@dynamicMemberLookup struct ParsedValues {
  private var d: [String: any Parsed] = [:]
  mutating func add(_ n: String, _ p: consuming some Parsed) { d[n] = p }
  subscript(dynamicMember n: String) -> (any Parsed)? { d[n] }
  subscript<T: Parsed>(_ n: String, as _: T.Type = T.self) -> T? { _read { yield d[n] as? T } }
  mutating func parse(_ a: [String]) throws(ParseError) -> [String] {
    var r = a[...]
    for k in d.keys.sorted() {
      var p = d[k]!
      try p.consume(&r, name: k)
      d[k] = p
    }
    let bad = r.filter { $0.hasPrefix("--") }
    if !bad.isEmpty { throw .unknown(bad) }
    return Array(r)
  }
  var usage: String { lazyUsage(sep: " ") { $0 } }
  private func lazyUsage(sep: String, _ f: (String) throws -> String) rethrows -> String {
    try d.keys.sorted().map { try f(d[$0]!.describe($0)) }.joined(separator: sep)
  }
}
public enum Mode: String, ArgumentValue, CaseIterable {
  case fast, slow
  public static var valueName: String { allCases.map(\.rawValue).joined(separator: "|") }
}
struct Command: ~Copyable {
  var v: ParsedValues
  let name: String
  init(name: consuming String) {
    self.name = name
    v = ParsedValues()
    v.add("count", Option<Int>(wrappedValue: 3))
    v.add("mode", Option<Mode>(help: "how"))
    v.add("verbose", Flag(wrappedValue: name.isEmpty))
    v.add("quiet", Flag())
    v.add("user", Option(wrappedValue: "nobody"))
  }
  mutating func run(_ a: String...) -> String {
    do throws(ParseError) {
      let rest = try v.parse(a)
      return
        "\(name) \(v["count", as: Option<Int>.self]!.wrappedValue) "
        + "\(v["mode", as: Option<Mode>.self]!.wrappedValue) "
        + "\(v["verbose", as: Flag.self]!.wrappedValue) \(rest)"
    } catch { return "error: \(error)" }
  }
  consuming func finish() -> String {
    "done " + name + " " + v.usage + (v.mode == nil ? "" : " has mode")
  }
  deinit {}
}
private struct Settings {
  @Option(wrappedValue: 1, help: "how many") var count: Int
}

/// Parses some command lines and tells what they are.
public func runArgumentParser() -> String {
  var c = Command(name: "tool")
  let r = [
    c.run("--mode", "fast", "x"), c.run("--mode", "zzzzzz"),
    c.run("--verbose", "--count", "9", "y", "z"), c.run("--what"), c.run("--user", "ann"),
    c.run("--count"),
  ]
  let settings = Settings()
  settings.count = 4
  let same = ParseError.missing("a") == .missing("a")
  return r.joined(separator: "\n") + "\n" + c.finish() + " \(same) \(settings.count) "
    + settings.$count.describe("count")
}
