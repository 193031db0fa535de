// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import WaxwingBridge
internal import WaxwingLua
internal import WaxwingValues

/// Finds what `live(object).name` stands for.
enum LiveFinder {
  /// - Parameter setter: Finds the setter of a property of the object's class.
  static func collection(
    _ name: String, of object: UnsafeMutableRawPointer,
    setter: (String) throws(LuaRaise) -> CallPlan?
  ) throws(LuaRaise) -> LiveCollection {
    let type = ObjectReference.dynamicType(object)
    var typeName: String { TypeName.short(type) }
    let fields = TypeMetadata.fields(of: type)
    guard let field = fields.last(where: { $0.name == name }) else {
      throw .message(
        "\(typeName) has no stored property `\(name)`"
          + NearName.hint(name, among: fields.compactMap(\.name)))
    }
    guard !wax_abi_is_deallocating(object) else {
      throw .message("\(typeName) is being deinitialized: read `\(name)` itself")
    }
    let codec = try? CodecLibrary.codec(for: field.type)
    guard field.isStrong, let form = codec?.collectionForm() else {
      throw .message(
        "\(typeName).\(name) is of type \(TypeName.short(field.type)): only arrays, dictionaries and "
          + "sets can be live")
    }
    return LiveCollection(
      form, field, of: Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue(),
      title: "\(typeName).\(name)", setter: try setter(name).flatMap { LiveSetter($0) })
  }
}
