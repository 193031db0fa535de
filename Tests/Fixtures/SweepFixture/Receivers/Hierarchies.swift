// SPDX-License-Identifier: MIT

/// The base of a hierarchy that is three classes deep.
class Shape {
  fileprivate let live = Live("Shape")
  var name: String
  private(set) var moves = 0

  init() { name = "shape" }
  init(named name: String) { self.name = name }
  required init(copying other: Shape) { name = other.name + "'" }

  func area() -> Int { 1 }
  func title() -> String { "\(name) of \(area())" }
  func scaled(by factor: Int) -> Shape {
    moves += factor
    return self
  }
  func kindred(_ other: Shape) -> Bool { type(of: other) == type(of: self) }
  func copied() -> Self { type(of: self).init(copying: self) }
  var sides: Int { 0 }
  class func label() -> String { "\(self)" }
  class func blank() -> Shape { Shape() }
  class var rank: Int { 0 }
}

class Polygon: Shape {
  var lengths: [Int]

  override init() {
    lengths = [1, 1, 1]
    super.init()
  }

  init(lengths: [Int]) {
    self.lengths = lengths
    super.init(named: "polygon")
  }

  required init(copying other: Shape) {
    lengths = (other as? Polygon)?.lengths ?? []
    super.init(copying: other)
  }

  override func area() -> Int { lengths.reduce(0, +) }
  override var sides: Int { lengths.count }
  override func title() -> String { "P:" + super.title() }
  override class func label() -> String { "poly " + super.label() }
  override class var rank: Int { super.rank + 1 }
  func longest() -> Int? { lengths.max() }
}

final class Square: Polygon {
  var side: Int

  init(side: Int) {
    self.side = side
    super.init(lengths: [side, side, side, side])
    name = "square"
  }

  required init(copying other: Shape) {
    side = (other as? Square)?.side ?? 0
    super.init(copying: other)
  }

  override func area() -> Int { side * side }
  override func title() -> String { "S:" + super.title() }
  override func scaled(by factor: Int) -> Square {
    side *= factor
    _ = super.scaled(by: factor)
    return self
  }
  override class func blank() -> Shape { Square(side: 0) }
  override class var rank: Int { super.rank + 1 }
}

/// Inherits its designated initializers.
final class Blob: Shape {
  override func area() -> Int { super.area() + 41 }
}

private func totalArea(_ shapes: [Shape]) -> Int { shapes.reduce(0) { $0 + $1.area() } }

private func largest(_ shapes: Shape...) -> Shape? { shapes.max { $0.area() < $1.area() } }

private func asPolygon(_ shape: Shape) -> Polygon? { shape as? Polygon }

func runHierarchies(_ say: Say) {
  let shapes = [Shape(), Polygon(), Polygon(lengths: [3, 4, 5]), Square(side: 6), Blob()]
  for shape in shapes {
    say("\(type(of: shape)) \(shape.title()) \(shape.sides) \(type(of: shape).label())")
    let copy = shape.copied()
    say("copy \(type(of: copy)) \(copy.title()) \(shape.kindred(copy)) \(type(of: shape).rank)")
    say("blank \(type(of: type(of: shape).blank()))")
    say("polygon \(asPolygon(shape)?.longest() ?? -1) \(asPolygon(shape) === shape)")
  }
  say("named \(Blob(named: "b").title()) \(Shape(named: "n").title())")
  let square = Square(side: 2)
  say("scaled \(square.scaled(by: 3).side) \(square.moves) \(square.scaled(by: 1) === square)")
  say("areas \(totalArea(shapes)) \(largest(shapes[0], square)?.name ?? "none")")
  say("none \(largest() == nil)")
}
