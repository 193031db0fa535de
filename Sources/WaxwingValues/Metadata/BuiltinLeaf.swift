// SPDX-License-Identifier: MIT

internal import WaxwingInterception

/// The scalars of the compiler's own types, of which the standard library's structs consist.
///
/// They have metadata without a descriptor; what they are is in their names: `Builtin.Int64`,
/// `Builtin.FPIEEE32`, `Builtin.Vec4xFPIEEE32`, `Builtin.RawPointer` (lib/AST/ASTPrinter.cpp,
/// Swift 6.3).
enum BuiltinLeaf {
  static func leaf(
    of type: any Any.Type, size: Int, at offset: Int
  ) throws(UnsupportedType) -> TypeShape.Leaf {
    TypeShape.Leaf(offset: offset, size: size, kind: try kind(of: type, size: size))
  }

  private static func kind(
    of type: any Any.Type, size: Int
  ) throws(UnsupportedType) -> TypeShape.Kind {
    let name = TypeName.full(type)
    guard name.hasPrefix("Builtin.") else {
      throw UnsupportedType(type, because: "the runtime does not tell what it is made of")
    }
    let builtin = name.dropFirst("Builtin.".count)
    switch builtin {
    case "FPIEEE16", "FPIEEE32": return .float
    case "FPIEEE64": return .double
    case "RawPointer", "NativeObject", "BridgeObject", "UnknownObject": return .pointer
    default: break
    }
    if builtin.hasPrefix("Int") || builtin == "Word" { return .integer }
    if let vector = vector(builtin, size: size) { return vector }
    throw UnsupportedType(
      type, because: "values of \(builtin) are not passed in registers that can be reached")
  }

  /// The kind of a vector type, such as `Vec4xFPIEEE32` with four lanes.
  private static func vector(_ builtin: Substring, size: Int) -> TypeShape.Kind? {
    guard builtin.hasPrefix("Vec"), let mark = builtin.firstIndex(of: "x"),
      let lanes = Int(builtin.dropFirst(3).prefix(upTo: mark)), lanes > 0
    else { return nil }
    let element = builtin[builtin.index(after: mark)...]
    return .vector(
      element: element.hasPrefix("FPIEEE") ? .floatingPoint : .integer, laneSize: size / lanes)
  }
}
