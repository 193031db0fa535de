// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingReflection

/// Functions that are told of the ends of the program's objects.
extension ScriptHost {
  /// (type's name, function): runs it in place of what frees the objects of the class and of those below
  /// it; it is to call the original.
  func declareDeinitializer(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    let type = try named { () throws(NameError) in try runtime.resolver.type(named: name) }
    guard runtime.mayDeclare else {
      throw .message("deinitializers are added while the patch loads; this comes too late")
    }
    guard type.nominal.kind == .class else {
      throw .message("\(type.name) is no class: its values have no deinitializer")
    }
    guard let metatype = runtime.resolver.program.runtimeType(type.node) else {
      throw .message(
        "\(type.name) is generic, or not known to the runtime: the ends of its objects are not seen"
      )
    }
    for (known, metadata) in classes(from: metatype) {
      let word = UInt(bitPattern: metadata - 16)
      let address = UnsafeRawPointer(metadata - 16).load(as: UInt.self)
      guard let function = RunningFunction(destroyerOf: known, at: word, address: address)
      else { continue }
      let point = runtime.overrides(of: function)
      guard point.isEmpty else {
        throw .message("\(known.name) has a deinitializer of this patch's already")
      }
      try add(
        AdvicePiece(.override, nil, declaredAt: call.position()), .body, at: point, function: 1,
        &call)
    }
  }

  /// A class and those below it, with the addresses of their metadata: as far as the program's own types
  /// tell, and without generic ones.
  private func classes(
    from ancestor: any Any.Type
  ) -> [(type: RunningType, metadata: UnsafeMutableRawPointer)] {
    let program = runtime.resolver.program
    let own = TypeMetadata.descriptor(of: ancestor).flatMap(program.type(withDescriptor:))
    let below = program.types.values.joined().filter {
      $0.nominal.kind == .class && $0.descriptor != 0 && $0 != own
        && ContextDescriptor($0.descriptor)?.isGeneric == false
    }
    return ([own].compactMap(\.self) + below).compactMap { known in
      guard let type = program.runtimeType(known.node),
        TypeMetadata.isClass(type, orInheritsFrom: ancestor)
      else { return nil }
      return (known, UnsafeMutableRawPointer(mutating: TypeMetadata.pointer(to: type)))
    }
  }
}
