// SPDX-License-Identifier: MIT

/// Two words in integer registers.
struct Point: Hashable {
  var x: Int
  var y: Int

  init(_ x: Int, _ y: Int) {
    self.x = x
    self.y = y
  }
  init?(parsing text: String) {
    let parts = text.split(separator: ",").compactMap { Int($0) }
    guard parts.count == 2 else { return nil }
    self.init(parts[0], parts[1])
  }
  init(near point: Point, limit: Int) throws {
    guard point.x < limit else { throw PurseError.short(by: point.x - limit) }
    self = point
  }

  func plus(_ other: Point) -> Point { Point(x + other.x, y + other.y) }
  func dot(_ other: Point) -> Int { x * other.x + y * other.y }
  mutating func move(dx: Int, dy: Int = 10) {
    x += dx
    y += dy
  }
  mutating func swapAxes() -> Bool {
    (x, y) = (y, x)
    return x > y
  }
  func corners() -> [Point] { [self, Point(-x, y), Point(x, -y)] }
  func maybe(_ wanted: Bool) -> Point? { wanted ? self : nil }
}

/// Integer and floating-point registers, and a byte between.
struct Mixed {
  var count: Int32
  var ratio: Double
  var flag: Bool
  var small: Float

  func sum() -> Double { Double(count) + ratio + (flag ? 1 : 0) + Double(small) }
  func flipped() -> Mixed { Mixed(count: -count, ratio: -ratio, flag: !flag, small: -small) }
  mutating func add(_ other: Mixed) {
    count &+= other.count
    ratio += other.ratio
  }
}

/// Holds references.
struct Folder {
  private let live = Live("Folder")
  var title: String
  var owner: Purse
  var files: [String]

  init(title: String, owner: Purse, files: [String] = []) {
    self.title = title
    self.owner = owner
    self.files = files
  }

  func path(_ index: Int) -> String { "\(title)/\(files[index])" }
  func adding(_ file: String) -> Folder {
    var copy = self
    copy.files.append(file)
    return copy
  }
  mutating func remove(_ file: String) -> Int? {
    guard let index = files.firstIndex(of: file) else { return nil }
    files.remove(at: index)
    return index
  }
  func ownedBy(_ purse: Purse) -> Bool { owner === purse }
  var isEmpty: Bool { files.isEmpty }
}

/// More than four words: goes by reference.
struct Sheet {
  var a = 1
  var b = 2.5
  var c = "c"
  var d: [Int] = [4]
  var e: Int8 = -5
  var f: Purse?

  func sum() -> Int { a + Int(b) + d.reduce(0, +) + Int(e) + c.utf8.count }
  func with(a: Int) -> Sheet {
    var copy = self
    copy.a = a
    return copy
  }
  mutating func push(_ value: Int) -> Sheet {
    let old = self
    d.append(value)
    return old
  }
  func same(as other: Sheet) -> Bool { sum() == other.sum() && f === other.f }
}

/// No storage at all.
struct Nothing {
  func answer() -> Int { 42 }
  func nothing() -> Nothing { self }
  mutating func change(_ number: inout Int) { number += 1 }
}

/// A nested type of a private one.
private struct Outer {
  struct Inner {
    var value: UInt8
    func next() -> Inner { Inner(value: value &+ 1) }
    enum Deep: Int {
      case one = 1
      case two
      func following() -> Deep? { Deep(rawValue: rawValue + 1) }
    }
  }
  var inner = Inner(value: 254)
  mutating func step() { inner = inner.next() }
  fileprivate func deep(_ deep: Inner.Deep) -> Int { deep.rawValue * Int(inner.value) }
}

func runStructs(_ say: Say) {
  var point = Point(3, 4)
  say("point \(point.plus(Point(1, 2))) \(point.dot(Point(5, 6)))")
  say("equal \(point == Point(3, 4)) \([point].contains(Point(4, 3)))")
  point.move(dx: 1)
  say("moved \(point) \(point.swapAxes()) \(point)")
  say("corners \(point.corners())")
  say("maybe \(String(describing: point.maybe(true))) \(point.maybe(false) == nil)")
  say("parsed \(String(describing: Point(parsing: "8,9"))) \(Point(parsing: "8") == nil)")
  do { say("near \(try Point(near: point, limit: 99))") } catch { say("no") }
  do { _ = try Point(near: point, limit: 0) } catch { say("far \(error)") }

  var mixed = Mixed(count: 7, ratio: 0.5, flag: true, small: 1.25)
  mixed.add(mixed.flipped())
  mixed.add(Mixed(count: 2, ratio: 3, flag: false, small: 9))
  say("mixed \(mixed) \(mixed.sum()) \(mixed.flipped())")

  let purse = Purse(cents: 5)
  var folder = Folder(title: "t", owner: purse).adding("a").adding("b")
  say("folder \(folder.path(1)) \(folder.ownedBy(purse)) \(folder.isEmpty)")
  say("removed \(folder.remove("a") ?? -1) \(folder.remove("z") ?? -1) \(folder.files)")

  var sheet = Sheet()
  sheet.f = purse
  let old = sheet.push(40)
  say("sheet \(old.sum()) \(sheet.sum()) \(sheet.with(a: 9).sum()) \(sheet.same(as: old))")
  say("same \(sheet.same(as: sheet)) \(sheet.d)")
  say("made \(Sheet(a: 1, b: 2, c: "3", d: [4], e: 5, f: purse).sum())")
}

func runSmallStructs(_ say: Say) {
  var nothing = Nothing()
  var number = 1
  nothing.change(&number)
  say("nothing \(nothing.nothing().answer()) \(number)")
  var outer = Outer()
  outer.step()
  outer.step()
  say("outer \(outer.inner.value) \(outer.deep(.two))")
  say("deep \(Outer.Inner.Deep.one.following()?.rawValue ?? -1)")
  say("end \(Outer.Inner.Deep.two.following() == nil)")
}
