// SPDX-License-Identifier: MIT

import Shelf

func say(_ name: String, _ values: Any...) {
  print(name, values.map { String(describing: $0) }.joined(separator: ", "))
}

@MainActor func runValues() async {
  var small = Small.make(3)
  small.flip()
  say("small", small)
  var five = Five(5)
  say("five", five.sum(), five.add(6), five[1])
  five[0] = 9
  five[1] += 2
  say("changed", five)
  var shape = Shape.named("x", five).doubled()
  say("shape", shape.count)
  shape.clear()
  say("cleared", shape, swapped(Fixed(x: 1, y: 2)))
  say("style", applied(.plain(3)), erased(.plain(4)).name)
  say(
    "throws", (try? checked(1)) as Any, (try? checked(5)) as Any, (try? typed(2)) as Any,
    (try? typed(7)) as Any)
  say("tuple", tuple((name: "n", count: 2)), text("a long text of many bytes", ["x"], ["y": five]))
  var n = 70
  exchange(&five, &n)
  say("exchanged", five.a, n, take(five), maybe(five, nil), maybe(nil, .circle(1)))
  say(
    "quoted", "short".quoted(), "a text that is longer than fifteen bytes".quoted(), [1, 2].total())
}

@MainActor func runObjects() async {
  let dog = Dog(name: "Rex")
  dog.age += 2
  let animal: Animal = dog
  say(
    "animal", animal.sound(), type(of: animal).kind(), dog.rename("Max").name, dog.changes, dog.tag)
  say("checked", Animal(checked: "") == nil, Animal(checked: "a")?.sound() ?? "")
  say(
    "later", await dog.later(1), (try? await dog.laterThrowing(2)) ?? "",
    (try? await dog.laterThrowing(9)) ?? "no")
  let counter = Counter()
  say("actor", await counter.add(2), await counter.add(3), await counter.count, counter.title())
  var box = Box("text")
  say("box", box.got(), box.map { $0.count }.got(), box.replace("new"), box.count)
  let wide = Wide("c", [1.5])
  say("wide", wide.described(), await wide.asyncly())
  let cell: Cell<Int> = IntCell(4)
  say("cell", cell.swap(5), cell.swap(6), Cell("s").swap("t"))
  say(
    "generic", largest([3, 1, 2]) ?? 0, largest(["a"]) ?? "", both(1, "2", 3.0),
    kept { "\($0)" }(1), Array(made()))
}
