// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection

/// Fields that scripts add to objects, and counts of the values that they hold.
extension PreludeBindings {
  /// (type, name, description of the default): declares a field for a class and its subclasses.
  func declareField(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let typeName = reader.displayString(reader.read()) ?? ""
    let name = reader.displayString(reader.read()) ?? ""
    let type: RunningType
    do throws(NameError) { type = try runtime.resolver.type(named: typeName) } catch {
      throw .message(error.description)
    }
    guard type.nominal.kind == .class else {
      throw .message("\(type.name) is not a class: its values are copies and have no fields")
    }
    if name.hasPrefix("ORIG") {
      throw .message("`\(name)` cannot be a field: ORIG followed by a name is an original")
    }
    try checkUnused(name, by: type)
    guard let reference = call.reference(toArgument: 2) else { throw .message("not enough memory") }
    runtime.declarations.fields.add(
      .init(className: type.name, name: name, reference: reference), descriptor: type.descriptor)
  }

  private func checkUnused(_ name: String, by type: RunningType) throws(LuaRaise) {
    let line = line(of: type)
    for (descriptor, field) in runtime.declarations.fields.all(named: name) {
      let isAbove = line.contains(descriptor)
      let isBelow = self.line(of: descriptor).contains(type.descriptor)
      if isAbove || isBelow {
        throw .message("the field `\(name)` is declared already, for \(field.className)")
      }
    }
    if !runtime.declarations.methods.methods(isStatic: false, in: line).allSatisfy({
      $0.name != name
    }) {
      throw .message("`\(name)` is a method that the script has added")
    }
    let hidden = runtime.resolver.program.runtimeType(type.node).map {
      runtime.types.members(of: $0).hasSwiftMember(name)
    }
    if hidden == true {
      throw .message(
        "\(type.name) has a Swift member `\(name)`: a field of that name would hide it")
    }
  }

  /// The class and its superclasses; the class alone if it is generic.
  func line(of type: RunningType) -> [UInt] {
    guard let known = runtime.resolver.program.runtimeType(type.node) else {
      return [type.descriptor]
    }
    return ClassLine.descriptors(of: known)
  }

  func line(of descriptor: UInt) -> [UInt] {
    runtime.resolver.program.type(withDescriptor: descriptor).map { line(of: $0) } ?? []
  }

  /// (): a table of class or type -> how many proxies of it there are, after a collection.
  func countObjects(_ call: inout LuaCall) {
    let state = self.state
    state.suspended { state.collect() }
    let held = HeldValues(state)
    let counts = held.objects.merging(held.values) { $0 + $1 }
    call.writer.table(count: counts.count)
    for (name, count) in counts {
      call.writer.string(name)
      call.writer.integer(count)
    }
  }
}
