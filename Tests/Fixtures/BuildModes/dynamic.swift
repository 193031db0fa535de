// SPDX-License-Identifier: MIT

// Compiled without implicit dynamic: functions that are declared `dynamic` have replacement entries, and no others.

import Glibc

public struct Point {
  public var number = 1
  public dynamic init() {}
  public dynamic func added(_ n: Int) -> Int { number &+ n }
  public func plain(_ n: Int) -> Int { n &+ 3 }
  public dynamic var double: Int {
    get { number * 2 }
    set { number = newValue / 2 }
  }
  public dynamic func counted<T>(_ value: T) -> Int { 1 }
  public dynamic func later(_ n: Int) async throws -> Int { n }
  public dynamic static func + (left: Point, right: Point) -> Point {
    var sum = left
    sum.number += right.number
    return sum
  }
}
public final class Box {
  public dynamic init() {}
  public dynamic func text() -> String { "box" }
}
public dynamic func free(_ n: Int) -> Int { n }

setvbuf(stdout, nil, Int32(_IOLBF), 0)
while let line = readLine(), line == "go" {
  var point = Point()
  point.double = 6
  print(point.added(1), point.plain(1), point.double, point.counted("x"), (point + Point()).number)
  print(Box().text(), free(1), (try? await point.later(5)) ?? 0)
  // Many places that call a small function.
  let sum =
    (free(1) + free(2) + free(3) + free(4)) + (free(5) + free(6) + free(7) + free(8))
    + (free(9) + free(10) + free(11) + free(12))
  let more =
    (free(1) + free(2) + free(3) + free(4)) + (free(5) + free(6) + free(7) + free(8))
    + (free(9) + free(10) + free(11) + free(12))
  print(sum + more)
  print("--")
}
