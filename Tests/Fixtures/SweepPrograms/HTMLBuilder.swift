// SPDX-License-Identifier: MIT

// A builder of HTML: result builders, phantom contexts, packs.
public protocol Node { func render(into target: inout some TextOutputStream, indent: Int) }
public protocol Context {}
public enum HTML: Context {
  public enum Body: Context {}
  public enum Head: Context {}
}
public struct Attribute<C: Context>: Hashable, Sendable {
  public var name: String, value: String?
  public static func id(_ v: String) -> Attribute { .init(name: "id", value: v) }
  public static func `class`(_ v: String...) -> Attribute {
    .init(name: "class", value: v.joined(separator: " "))
  }
}
extension Attribute where C == HTML.Body {
  public static func data(_ k: String, _ v: CustomStringConvertible) -> Attribute {
    .init(name: "data-\(k)", value: v.description)
  }
}
extension Attribute where C == HTML.Head {
  public static func data(_ k: String, _ v: CustomStringConvertible) -> Attribute {
    .init(name: "meta-\(k)", value: v.description)
  }
}
public struct Element<C: Context>: Node {
  var tag: String
  var attributes: [Attribute<C>]
  var children: [any Node]
  init(_ tag: String, _ a: [Attribute<C>], @Builder _ c: () -> [any Node]) {
    self.tag = tag
    attributes = a
    children = c()
  }
  public func render(into target: inout some TextOutputStream, indent: Int) {
    target.write(String(repeating: " ", count: indent) + "<\(tag)")
    for a in attributes { target.write(" \(a.name)=\"\(escape(a.value ?? ""))\"") }
    target.write(">\n")
    for c in children { c.render(into: &target, indent: indent + 2) }
    target.write(String(repeating: " ", count: indent) + "</\(tag)>\n")
  }
  subscript(attr name: String) -> String? {
    get { attributes.first { $0.name == name }?.value }
    set {
      attributes.removeAll { $0.name == name }
      attributes.append(.init(name: name, value: newValue))
    }
  }
}
public struct Text: Node, ExpressibleByStringLiteral {
  let s: String
  public init(stringLiteral v: String) { s = v }
  public func render(into target: inout some TextOutputStream, indent: Int) {
    target.write(String(repeating: " ", count: indent) + escape(s) + "\n")
  }
}
struct Group<each T: Node>: Node {
  let items: (repeat each T)
  init(_ x: repeat each T) { items = (repeat each x) }
  func render(into target: inout some TextOutputStream, indent: Int) {
    repeat (each items).render(into: &target, indent: indent)
  }
}
func escape(_ s: some StringProtocol) -> String {
  var r = ""
  for c in s {
    switch c {
    case "<": r += "&lt;"
    case ">": r += "&gt;"
    case "&": r += "&amp;"
    default: r.append(c)
    }
  }
  return r
}
@resultBuilder public enum Builder {
  public static func buildBlock(_ c: [any Node]...) -> [any Node] { c.flatMap { $0 } }
  public static func buildExpression(_ n: any Node) -> [any Node] { [n] }
  public static func buildOptional(_ c: [any Node]?) -> [any Node] { c ?? [] }
  public static func buildEither(first c: [any Node]) -> [any Node] { c }
  public static func buildEither(second c: [any Node]) -> [any Node] { c }
  public static func buildArray(_ c: [[any Node]]) -> [any Node] { c.flatMap { $0 } }
}
public func div(_ a: Attribute<HTML.Body>..., @Builder c: () -> [any Node]) -> Element<HTML.Body> {
  Element("div", a, c)
}
public func meta(_ a: Attribute<HTML.Head>...) -> Element<HTML.Head> { Element("meta", a) {} }
/// Builds a page and tells what it is.
public func runHTMLBuilder(_ names: [String], admin: Bool) -> String {
  var out = ""
  let e = div(.id("top"), .class("a", "b"), .data("n", names.count)) {
    Text("hi & <bye>")
    if admin { Text("admin") }
    for n in names { div(.data("name", n)) { Text(stringLiteral: n) } }
    if names.isEmpty { Text("none") } else { Group(Text("g1"), Text("g2")) }
    meta(.data("k", 5))
  }
  out += "\(Set(e.attributes + e.attributes).count) \(e.attributes[0] == .id("top"))\n"
  var e2 = e
  e2[attr: "id"] = "changed"
  e2[attr: "x"] = e2[attr: "id"].map { $0 + "!" }
  e.render(into: &out, indent: 0)
  e2.render(into: &out, indent: 1)
  return out
}
