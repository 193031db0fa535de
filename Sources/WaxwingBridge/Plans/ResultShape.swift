// SPDX-License-Identifier: MIT

internal import WaxwingInterception

/// How a result is returned. A tuple is returned as its elements: those that go by address through
/// addresses which the caller passes before the arguments, the others together, laid out as one
/// tuple of them would be.
struct ResultShape {
  let parts: [FunctionShape.Part]
  /// The elements with addresses of their own. A single one, with nothing beside it, is returned as
  /// any result by address.
  let addressed: [FunctionShape.Part]
  /// The parts that are returned in addition.
  let value: CallLayout.Value

  init(_ parts: [FunctionShape.Part]) {
    self.parts = parts
    var shapes: [TypeShape] = []
    for case .direct(let shape) in parts.map(\.value) { shapes.append(shape) }
    // One value is as it is; fields of a struct would be laid out anew.
    let direct = shapes.count == 1 ? shapes[0] : TypeShape.fields(shapes)
    let indirect = parts.filter { $0.value == .indirect }
    let isAlone = indirect.count == 1 && direct.leaves.isEmpty
    addressed = isAlone ? [] : indirect
    value = isAlone ? .indirect : .direct(direct)
  }

  /// How the parts make the result; nil if it is returned as it is in memory.
  func split(_ addresses: [ValueLocation]) -> SplitResult? {
    let split = SplitResult(parts, addresses)
    return addressed.isEmpty && (value == .indirect || split.isAsInMemory) ? nil : split
  }
}
