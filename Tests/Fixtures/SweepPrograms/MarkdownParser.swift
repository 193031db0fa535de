// SPDX-License-Identifier: MIT

// A parser of Markdown: recursive enums, a scanner with mutating getters, a generic parser with a
// delegate.
public indirect enum Block: Hashable {
  case para([Inline])
  case head(Int, [Inline])
  case list([Block], ordered: Bool)
  case quote(Block)
  case code(lang: Substring?, String)
  var plain: String {
    switch self {
    case .para(let i), .head(_, let i): i.map(\.plain).joined()
    case .list(let b, _): b.map(\.plain).joined(separator: ";")
    case .quote(let b): "“" + b.plain + "”"
    case .code(_, let s): s
    }
  }
  mutating func deepen(by n: Int = 1) {
    switch self {
    case .head(let l, let i): self = .head(l + n, i)
    case .list(var b, let o):
      for k in b.indices { b[k].deepen(by: n) }
      self = .list(b, ordered: o)
    case .quote(let b):
      var c = b
      c.deepen(by: n)
      self = .quote(c)
    default: break
    }
  }
}
public enum Inline: Hashable {
  case text(Substring)
  case strong([Inline])
  case link([Inline], to: String)
  case br
  var plain: String {
    switch self {
    case .text(let s): String(s)
    case .strong(let i): "*" + i.map(\.plain).joined() + "*"
    case .link(let i, let u): i.map(\.plain).joined() + "(" + u + ")"
    case .br: "\n"
    }
  }
}
struct Scanner {
  private let text: String
  private(set) var pos: String.Index
  private var marks: [String.Index] = []
  init(_ s: String) {
    text = s
    pos = s.startIndex
  }
  lazy var lineCount: Int = text.split(separator: "\n").count
  var rest: Substring { text[pos...] }
  var current: Character? {
    mutating get {
      marks.append(pos)
      return pos < text.endIndex ? text[pos] : nil
    }
    nonmutating set { _ = newValue }
  }
  mutating func advance() -> Character? {
    guard pos < text.endIndex else { return nil }
    defer { pos = text.index(after: pos) }
    return text[pos]
  }
  mutating func take(while p: (Character) throws -> Bool) rethrows -> Substring {
    let s = pos
    while pos < text.endIndex, try p(text[pos]) { pos = text.index(after: pos) }
    return text[s..<pos]
  }
  mutating func attempt<T>(_ f: (inout Scanner) throws -> T?) rethrows -> T? {
    let saved = self
    if let r = try f(&self) { return r }
    self = saved
    return nil
  }
  mutating func match(_ s: some Sequence<Character>) -> Bool {
    attempt { sc in
      for c in s { guard sc.advance() == c else { return nil as Bool? } }
      return true
    } ?? false
  }
}
public final class Parser<Output: RangeReplaceableCollection> where Output.Element == Block {
  private var sc: Scanner
  public weak var delegate: (any AnyObject & ParserDelegate)?
  let make: () -> Output
  public init(_ s: String, _ make: @escaping @autoclosure () -> Output) {
    sc = Scanner(s)
    self.make = make
  }
  public convenience init?(nonEmpty s: String) where Output == [Block] {
    guard !s.isEmpty else { return nil }
    self.init(s, [])
  }
  public func parse() -> Output {
    var out = make()
    while let b = block() {
      delegate?.parser(found: b)
      out.append(b)
    }
    delegate?.done(lines: sc.lineCount)
    return out
  }
  private func block() -> Block? {
    _ = sc.take { $0 == "\n" }
    guard sc.current != nil else { return nil }
    if sc.match("```") {
      let l = sc.take { $0 != "\n" }
      _ = sc.advance()
      let body = sc.take { $0 != "`" }
      _ = sc.match("```")
      return .code(lang: l.isEmpty ? nil : l, String(body))
    }
    if sc.match("> ") { return .quote(block() ?? .para([])) }
    let h = sc.take { $0 == "#" }.count
    if h > 0 {
      _ = sc.take { $0 == " " }
      return .head(h, line())
    }
    var items: [Block] = []
    while sc.match("- ") {
      items.append(.para(line()))
      _ = sc.advance()
    }
    if !items.isEmpty { return .list(items, ordered: false) }
    return .para(line())
  }
  fileprivate func line() -> [Inline] { inlines { $0 == "\n" } }
  private func inlines(until stop: (Character) -> Bool) -> [Inline] {
    var r: [Inline] = []
    while let c = sc.current, !stop(c) {
      if sc.match("**") {
        r.append(.strong(inlines { $0 == "*" }))
        _ = sc.match("**")
      } else if sc.match("[") {
        let t = inlines { $0 == "]" }
        _ = sc.match("](")
        let u = sc.take { $0 != ")" }
        _ = sc.advance()
        r.append(.link(t, to: String(u)))
      } else {
        let t = sc.take { !"*[".contains($0) && !stop($0) }
        if t.isEmpty {
          r.append(.text(Substring(String(sc.advance()!))))
        } else {
          r.append(.text(t))
        }
      }
    }
    return r
  }
}
public protocol ParserDelegate: AnyObject {
  func parser(found: Block)
  func done(lines: Int)
}
extension ParserDelegate { public func done(lines: Int) {} }
private final class Counter: ParserDelegate {
  var n = 0
  func parser(found: Block) { n += 1 }
}
private class Base: ParserDelegate {
  func done(lines: Int) { n += lines }
  var n = 0
  required init() {}
  func parser(found: Block) { n += 1 }
  class func make() -> Self { Self() }
  var report: String { "\(type(of: self)) \(n)" }
}
private final class Sub: Base {
  var plain: [String] = [] { didSet { if oldValue.count < plain.count { extra &+= 1 } } }
  var extra: UInt8 = 0
  override func parser(found: Block) {
    super.parser(found: found)
    plain.append(found.plain)
  }
  override func done(lines: Int) { plain.append("\(lines)") }
  override var report: String { super.report + " \(plain) \(extra)" }
}
/// Parses a text and tells what it is.
public func runMarkdownParser() -> String {
  let s = "# Title **b**\npara [l](u) x\n- a\n- b\n> quote\n```swift\ncode\n```"
  let p = Parser(nonEmpty: s)!
  let d = Sub.make()
  p.delegate = d
  var r = p.parse()
  for i in r.indices { r[i].deepen() }
  let q = Parser<ContiguousArray<Block>>("x", [])
  let b = Base.make()
  q.delegate = b
  _ = q.parse()
  var sc = Scanner("ab")
  _ = sc.advance()
  sc.current = "x"
  sc.lineCount = 7
  let same = "\(sc.rest) \(sc.lineCount) \(r[0] == r[1]) \(Inline.br == .text("x"))"
  let counter = Counter()
  q.delegate = counter
  _ = q.parse()
  let other = Parser<[Block]>("y", [])
  other.delegate = counter
  _ = other.parse()
  return
    "\(counter.n) \(same) \(r.map(\.plain)) \(d.report) \(b.report) \(Parser(nonEmpty: "") == nil) \(Set(r).count)"
}
