// SPDX-License-Identifier: MIT

extension Dice {
  mutating func tree(depth: Int = 3) -> Tree {
    if depth == 0 || bool() { return .leaf(integer(Int.self)) }
    let left = tree(depth: depth - 1)
    return .node(left, Token(), tree(depth: depth - 1))
  }

  mutating func level() -> Level { [.low, .middle, .high][below(3)] }

  mutating func word() -> Word { [.one, .two, .three][below(3)] }

  mutating func key() -> Key { Key(number: integer(Int8.self), text: string()) }

  mutating func small() -> SmallShape { SmallShape(tag: integer(Int.self)) }

  mutating func large() -> LargeShape {
    let numbers = (double(), double(), double(), double())
    return LargeShape(tag: integer(Int.self), numbers: numbers, token: Token())
  }

  mutating func shape() -> any EchoShape {
    switch below(3) {
    case 0: small()
    case 1: large()
    default: Token()
    }
  }

  mutating func failure() -> any Error {
    switch below(4) {
    case 0: StructFailure(number: integer(Int.self), token: Token())
    case 1: EnumFailure.plain
    case 2: EnumFailure.text(string())
    default: ClassFailure()
    }
  }

  /// Of the types that Lua gives back as themselves: any other integer comes back as an `Int`, any
  /// other text as a `String`.
  mutating func anything() -> Any {
    switch below(10) {
    case 0: integer(Int.self)
    case 1: double()
    case 2: bool()
    case 3: string()
    case 4: Token()
    case 5: small()
    case 6: large()
    case 7: level()
    case 8: tree()
    default: either({ $0.string() }, { _ in Token() })
    }
  }
}
