import Glibc

// Structs that the optimizer describes, as closures take them along, and makes no metadata for.

protocol Routes { func add(to router: Router) }

final class Router {
  var handlers: [(String, (String) -> String)] = []
  func add(_ name: String, _ handler: @escaping (String) -> String) {
    handlers.append((name, handler))
  }
}

final class Store {
  let count: Int
  init(_ count: Int) { self.count = count }
  deinit { print("gone", count, terminator: " ") }
}

struct Pair {
  let small: Int8
  let text: String?
  let number: Int?
}

struct Several: Routes {
  let store: Store
  let name: String
  let pair: Pair
  func add(to router: Router) { router.add("several", list) }
  func list(_ text: String) -> String { "\(store.count) \(name) \(pair.small) \(text)" }
}

struct Shelf { let store: Store, name: String }

struct One: Routes {
  let shelf: Shelf
  func add(to router: Router) { router.add("one", list) }
  func list(_ text: String) -> String { "\(shelf.store.count) \(text)" }
}

struct Large: Routes {
  let a, b, c: String
  let isOpen: Bool
  let ratio: Double
  let store: Store
  func add(to router: Router) { router.add("large", list) }
  func list(_ text: String) -> String { "\(a)\(b)\(c) \(isOpen) \(ratio) \(store.count) \(text)" }
}

private struct Hidden: Routes {
  let store: Store
  let isOpen: Bool
  func add(to router: Router) { router.add("hidden", list) }
  func list(_ text: String) -> String { other(self) + other(nil) + text }
  func other(_ other: Hidden?) -> String {
    other.map { "\($0.isOpen) \($0.store.count) " } ?? "none "
  }
}

struct Floats: Routes {
  let x: Float
  let y: Float
  func add(to router: Router) { router.add("floats", list) }
  func list(_ text: String) -> String { "\(x) \(y) \(text)" }
}

struct Empty: Routes {
  func add(to router: Router) { router.add("empty", list) }
  func list(_ text: String) -> String { text }
}

struct Weak: Routes {
  weak var store: Store?
  let number: Int
  func add(to router: Router) { router.add("weak", list) }
  func list(_ text: String) -> String { "\(store?.count ?? 0) \(number) \(text)" }
}

@_alignment(16) struct Aligned: Routes {
  let number: Int
  func add(to router: Router) { router.add("aligned", list) }
  func list(_ text: String) -> String { "\(number) \(text)" }
}

struct Unowned: Routes {
  unowned let store: Store
  let number: Int
  func add(to router: Router) { router.add("unowned", list) }
  func list(_ text: String) -> String { "\(store.count) \(number) \(text)" }
}

let kept = Store(0)

func router() -> Router {
  let router = Router()
  Several(store: Store(1), name: "n", pair: Pair(small: 3, text: "x", number: 4)).add(to: router)
  One(shelf: Shelf(store: Store(2), name: "s")).add(to: router)
  Large(
    a: "a", b: "longer than what is kept in place", c: "c", isOpen: true, ratio: 2.5,
    store: Store(3)
  )
  .add(to: router)
  Hidden(store: Store(4), isOpen: true).add(to: router)
  Floats(x: 1, y: 2).add(to: router)
  Empty().add(to: router)
  Weak(store: kept, number: 5).add(to: router)
  Unowned(store: kept, number: 7).add(to: router)
  Aligned(number: 6).add(to: router)
  return router
}

func round() {
  let router = router()
  for (name, handler) in router.handlers { print("\(name): \(handler("go"));", terminator: " ") }
}

setvbuf(stdout, nil, _IOLBF, 0)
while readLine() != nil {
  round()
  print("--")
}
