// SPDX-License-Identifier: MIT

/// Passes on values of all the kinds that the translated test-suites of peers pass.
open class Relay {
  public private(set) var lines: [String] = []
  public var shown = Cell(label: "old")

  public init() {}

  open func note(_ line: String) { lines.append(line) }
  open func number(_ value: Int) -> Int { value }
  open func fraction(_ value: Double) -> Double { value }
  open func price() -> Double { 1.5 }
  open func flag(_ value: Bool) -> Bool { value }
  open func text(_ value: String) -> String { value }
  open func maybe(_ value: String?) -> String? { value }
  open func size(_ value: Size) -> Size { value }
  open func range(_ value: Range<Int>) -> Range<Int> { value }
  open func cell(_ value: Cell) -> Cell { value }
  open func list(_ value: [String]) -> [String] { value }
  open func table(_ value: [String: Int]) -> [String: Int] { value }
  open func kind(_ value: AnyObject.Type) -> AnyObject.Type { value }
  open func mixture() -> [String: Any] { ["text": "from Swift", "number": 42, "cell": shown] }
  open func join(_ text: String?, cell: Cell?, number: Int) -> String {
    "\(text ?? "nil") \(cell?.label ?? "nil") \(number)"
  }
  open func _under_line_(_ value: Int) -> Int { value }
  open func title() -> String { "relay" }

  open class func number(ofAll value: Int) -> Int { value }
  open class func fraction(ofAll value: Double) -> Double { value }
  open class func cell(ofAll value: Cell) -> Cell { value }
}

/// Closures, both ways.
open class BlockRelay {
  public private(set) var heard: [String] = []

  public init() {}

  open func block() -> (String, Int) -> String {
    { text, number in
      self.heard.append("\(text) \(number)")
      return "done"
    }
  }
  open func maybeBlock() -> (String?) -> String { { $0 ?? "no error" } }
  open func call(_ block: (String, Int) -> String) -> String { block("from Swift", 42) }
  open func callWithList(_ block: ([String], Cell) -> Void) { block(["a", "b"], Cell(label: "c")) }
  open func callWithBlock(_ block: (Bool, @escaping (String, Int) -> Void) -> Void) {
    block(true) { self.heard.append("\($0) \($1)") }
  }
  open func callWithMany(_ block: (Double, Int, Size, Double, Float, String, UInt8) -> Double)
    -> Double
  {
    block(0.5, 1, Size(width: 2, height: 3), 4, 5, "6", 7)
  }
  open func callWithNil(_ block: (String?) -> String) -> String { block(nil) }
}

/// Overridden by `Twig`, not by `Leaf`, and by `Bud`.
open class Root {
  public init() {}

  open func first() -> String { "root 1" }
  open func second() -> String { "root 2" }
}

open class Twig: Root {
  open override func first() -> String { "branch 1" }
}

open class Leaf: Twig {
  open override func second() -> String { "leaf 2" }
}

open class Bud: Twig {
  open override func first() -> String { "bud 1" }
}

/// Calls what patches override as compiled code does.
public final class Compiled {
  public init() {}

  public func values(_ relay: Relay) -> [String] {
    relay.note("noted")
    return [
      "\(relay.number(42))", "\(relay.fraction(4.25))", "\(relay.flag(true))", relay.text("text"),
      relay.maybe(nil) ?? "nil", relay.maybe("some") ?? "nil",
      "\(relay.size(Size(width: 42, height: 4.25)).width)", "\(relay.range(3..<42))",
      relay.cell(Cell(label: "cell")).label, relay.list(["a", "b"]).joined(separator: ","),
      "\(relay.table(["k": 7])["k", default: 0])", "\(relay.kind(Cell.self))",
      relay.join(nil, cell: nil, number: 42), "\(relay._under_line_(42))",
    ]
  }

  public func classValues() -> [String] {
    [
      "\(Relay.number(ofAll: 10))", "\(Relay.fraction(ofAll: 0.25))",
      Relay.cell(ofAll: Cell(label: "cell")).label,
    ]
  }

  public func inherited(_ object: Root) -> [String] { [object.first(), object.second()] }
}
