// SPDX-License-Identifier: MIT

extension Demangler {
  /// A function type as the compiler has lowered it, `S2iIegyd_`, which names of captured values have.
  ///
  /// Only one whose values are called as those of the type in the source are: escaping, with a context, and with all
  /// values direct. A function whose parameter was of a generic type takes it by address, under other letters.
  /// (docs/ABI/Mangling.rst, `impl-function-type`.)
  mutating func loweredFunction() throws(DemanglingFailure) -> TypeNode {
    guard skip("e"), skip("g") else { throw DemanglingFailure() }
    var type = FunctionType(representation: .escaping, parameters: [], result: .void)
    type.isSendable = skip("h")
    type.isAsync = skip("H")
    let parameters = letters("yg")
    let results = letters("do")
    if skip("z") {
      guard skip("o") else { throw DemanglingFailure() }
      type.isThrowing = true
    }
    guard skip("_") else { throw DemanglingFailure() }
    if type.isThrowing { try popAnyError() }
    let result = try popLowered(results)
    type.result = result.count == 1 ? result[0].type : .tuple(result)
    type.parameters = try popLowered(parameters)
    return .function(type)
  }

  /// `any Error`: no other protocol's values are thrown. Metadata may refer to it without its name.
  private mutating func popAnyError() throws(DemanglingFailure) {
    guard case .composition(let error) = try popType(), error.protocols.count == 1 else {
      throw DemanglingFailure()
    }
  }

  /// How many of these letters are next.
  private mutating func letters(_ letters: String) -> Int {
    var count = 0
    while letters.unicodeScalars.contains(Unicode.Scalar(peek())) {
      position += 1
      count += 1
    }
    return count
  }

  /// Metatypes and inner functions may be lowered in several ways.
  private mutating func popLowered(_ count: Int) throws(DemanglingFailure) -> [TupleElement] {
    var found: [TupleElement] = []
    for _ in 0..<count {
      let type = try popType()
      switch type {
      case .metatype, .existentialMetatype, .function, .modified: throw DemanglingFailure()
      default: found.append(TupleElement(type: type))
      }
    }
    return found.reversed()
  }
}
