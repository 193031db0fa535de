// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Synchronization
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Functions that are told of the ends of the program's objects.
extension PreludeBindings {
  /// Runs a function in place of the code that frees the objects of the class and its subclasses;
  /// the function must call the original. Lua calls this as (type's name, function).
  func declareDeinitializer(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    let type = try named { () throws(NameError) in try runtime.resolver.type(named: name) }
    try checkIsPatch("deinitializers are added", forWhat: "one")
    guard runtime.declarations.areAllowed else {
      throw .message("deinitializers are added while the patch loads; this comes too late")
    }
    guard type.nominal.kind == .class else {
      throw .message("\(type.name) is not a class: its values have no deinitializer")
    }
    guard let metatype = runtime.resolver.program.runtimeType(type.node) else {
      throw .message(
        "\(type.name) is generic, or not known to the runtime: the ends of its objects are not seen"
      )
    }
    let functions = classes(from: metatype).compactMap { (known, metadata) in
      let word = UInt(bitPattern: metadata - 16)
      let address = UnsafeRawPointer(metadata - 16).load(as: UInt.self)
      return RunningFunction(destroyerOf: known, at: word, address: address).map { (known, $0) }
    }
    // Before any is added: a refusal leaves nothing behind.
    let taken = functions.filter { !runtime.overrides.at($0.1).isEmpty }.map(\.0.name).min()
    if let taken {
      throw .message("this patch has already added a deinitializer to \(taken)")
    }
    for (_, function) in functions {
      let point = runtime.overrides.at(function)
      try add(
        AdvicePiece(.override, nil, declaredAt: call.position()), .replacement, at: point,
        function: 1,
        &call)
    }
  }

  /// A class and those below it, with the addresses of their metadata: as far as the program's own types
  /// tell, and without generic ones.
  private func classes(
    from ancestor: any Any.Type
  ) -> [(type: RunningType, metadata: UnsafeMutableRawPointer)] {
    let program = runtime.resolver.program
    var found = ProgramClasses.all(in: program).filter {
      TypeMetadata.isClass($0.metatype, orInheritsFrom: ancestor)
    }
    if !found.contains(where: { $0.metatype == ancestor }),
      let own = TypeMetadata.descriptor(of: ancestor).flatMap(program.type(withDescriptor:))
    {
      found.append(ProgramClass(type: own, metatype: ancestor))
    }
    return found.map {
      ($0.type, UnsafeMutableRawPointer(mutating: TypeMetadata.pointer(to: $0.metatype)))
    }
  }
}

private struct ProgramClass: Sendable {
  let type: RunningType
  let metatype: any Any.Type
}

/// The program's own classes that are not generic. To find them takes milliseconds.
private enum ProgramClasses {
  private static let known = Mutex<(typeCount: Int, classes: [ProgramClass])>((0, []))

  static func all(in program: RunningProgram) -> [ProgramClass] {
    let count = program.types.count
    let cached = known.withLock { $0.typeCount == count ? $0.classes : nil }
    if let cached { return cached }
    let classes = program.types.values.joined().compactMap { type -> ProgramClass? in
      guard type.nominal.kind == .class, type.descriptor != 0,
        ContextDescriptor(type.descriptor)?.isGeneric == false,
        let metatype = program.runtimeType(type.node)
      else { return nil }
      return ProgramClass(type: type, metatype: metatype)
    }
    known.withLock { $0 = (count, classes) }
    return classes
  }
}
