// SPDX-License-Identifier: MIT

infix operator <+> : AdditionPrecedence
prefix operator ~~
postfix operator ++

/// Operators of several kinds.
struct Vector: Equatable, Comparable {
  var x: Int
  var y: Int
  static func + (left: Vector, right: Vector) -> Vector {
    Vector(x: left.x + right.x, y: left.y + right.y)
  }
  static func - (left: Vector, right: Vector) -> Vector {
    Vector(x: left.x - right.x, y: left.y - right.y)
  }
  static func * (left: Vector, right: Int) -> Vector {
    Vector(x: left.x * right, y: left.y * right)
  }
  static prefix func - (vector: Vector) -> Vector { vector * -1 }
  static func += (left: inout Vector, right: Vector) { left = left + right }
  static func < (left: Vector, right: Vector) -> Bool { left.x < right.x }
  static func == (left: Vector, right: Vector) -> Bool { left.x == right.x }
  static prefix func ~~ (vector: Vector) -> Vector { Vector(x: vector.y, y: vector.x) }
  static postfix func ++ (vector: inout Vector) -> Vector {
    defer { vector.x += 1 }
    return vector
  }
}

private func <+> (left: String, right: Int) -> String { left + "<+>\(right)" }
private func ~= (pattern: Vector, value: Int) -> Bool { pattern.x == value }
private func ?? (left: Int, right: Vector) -> Int { left == 0 ? right.x : left }

/// Names that need backticks, or are not ASCII.
enum `class` {
  case `init`, `self`
  func `repeat`(_ `in`: Int) -> Int { self == .`init` ? `in` : -`in` }
  static func `default`() -> `class` { .`self` }
}
private func größe(_ länge: Int, 高さ höhe: Int) -> Int { länge * höhe }
private func `func`(`where` text: String) -> String { text + "!" }
private func `with spaces in it`(_ number: Int) -> Int { number + 6 }

/// Callable and dynamic members.
@dynamicMemberLookup struct Dynamic {
  var fields: [String: Int]
  func callAsFunction(_ number: Int, twice: Bool) -> Int { twice ? number * 2 : number }
  subscript(dynamicMember name: String) -> Int {
    get { fields[name] ?? -1 }
    set { fields[name] = newValue }
  }
}

@dynamicCallable struct Adding {
  func dynamicallyCall(withArguments numbers: [Int]) -> Int { numbers.reduce(0, +) }
}

@resultBuilder enum Lines {
  static func buildBlock(_ lines: [String]...) -> [String] { lines.flatMap { $0 } }
  static func buildExpression(_ line: String) -> [String] { [line] }
  static func buildOptional(_ lines: [String]?) -> [String] { lines ?? ["-"] }
  static func buildEither(first lines: [String]) -> [String] { lines }
  static func buildEither(second lines: [String]) -> [String] { lines.reversed() }
}
private func text(@Lines _ body: () -> [String]) -> String { body().joined(separator: "|") }

struct Literal: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByIntegerLiteral
{
  var text: String
  init(stringLiteral text: String) { self.text = "s:" + text }
  init(arrayLiteral numbers: Int...) { text = "a:\(numbers)" }
  init(integerLiteral number: Int) { text = "i:\(number)" }
}

/// Local functions and types.
private func locals(_ count: Int) -> [String] {
  struct Local {
    var number: Int
    func text() -> String { "local \(number)" }
  }
  enum Kind { case even, odd }
  func kind(_ number: Int) -> Kind { number % 2 == 0 ? .even : .odd }
  func recurse(_ number: Int) -> [String] {
    number == 0 ? [] : ["\(Local(number: number).text()) \(kind(number))"] + recurse(number - 1)
  }
  return recurse(count) + ["\(Set([kind(count)]).contains(.odd))"]
}

private func otherLocals(_ text: String) -> String {
  struct Local {
    var text: String
    mutating func add() -> String {
      text += "+"
      return text
    }
  }
  var local = Local(text: text)
  return local.add() + local.add()
}

func runNames(_ say: Say) {
  var vector = Vector(x: 1, y: 2) + Vector(x: 3, y: 4) * 2 - Vector(x: 0, y: 1)
  vector += -Vector(x: 1, y: 1)
  say(
    "vector \(vector++) \(~~vector) \(vector < Vector(x: 0, y: 0)) \(vector == Vector(x: 7, y: 0))")
  say("operators \("a" <+> 4) \(vector ~= 7) \(0 ?? vector) \([vector, ~~vector].max()!.x)")
  say("hashed \(Set([`class`.`init`]).count)")
  say("quoted \(`class`.`init`.`repeat`(3)) \(`class`.default().`repeat`(3)) \(`func`(where: "w"))")
  say("unicode \(größe(3, 高さ: 4)) \(`with spaces in it`(1))")
  var dynamic = Dynamic(fields: ["a": 1])
  dynamic.b = 5
  dynamic.a += 1
  say(
    "dynamic \(dynamic.a) \(dynamic.b) \(dynamic.c) \(dynamic(4, twice: true)) \(Adding()(1, 2, 3))"
  )
  let flag = vector.x > 0
  let built = text {
    "one"
    if flag { "first" } else { "second" }
    if flag { "two" }
    if !flag {
      "never"
    } else {
      "three"
      "four"
    }
  }
  say(
    "built \(built) \(Literal(stringLiteral: "q").text) \(("x\(1)" as Literal).text) \(([1, 2] as Literal).text) \((7 as Literal).text)"
  )
  say("locals \(locals(3)) \(otherLocals("o"))")
}
