// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// `self.super` in static methods.
extension PreludeBindings {
  /// (type's name, the name of the class that it is seen as?) -> the superclass's name
  ///
  /// Without the second it is the superclass of the class whose static method's override is running, else
  /// that of the type.
  func findSuperclass(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let type = try type(&reader)
    let viewed = reader.peeked.isNil ? nil : try self.type(&reader)
    guard let metatype = metatype(of: viewed ?? running(in: type) ?? type),
      let parent = TypeMetadata.superclass(of: metatype),
      let known = TypeMetadata.ancestry(of: parent, in: runtime.resolver.program).first
    else { throw .message("\(type.name) has no superclass") }
    call.writer.string(known.name)
  }

  /// (type's name, superclass's name, member) -> a function, and whether it is to be called for a value
  func findSuperMember(_ call: inout LuaCall) throws(LuaRaise) {
    let (name, typeObject) = try superclassTypeObject(&call)
    switch try typeObject.member(name, isStatic: true) {
    case .function(let function), .method(let function): call.writer.function(function)
    case .getter(let function):
      call.writer.function(function)
      call.writer.string("getter")
    case .added(let method): call.writer.reference(method.reference)
    case .type: throw .message("`\(name)` is a type: name it by itself")
    }
  }

  /// (type, superclass, name) -> what sets the superclass's static property, called on the type; nil: it
  /// has none
  func findSuperSetter(_ call: inout LuaCall) throws(LuaRaise) {
    let (name, typeObject) = try superclassTypeObject(&call)
    if let setter = try typeObject.setter(name) { call.writer.function(setter) }
  }

  /// (type, superclass, name): the superclass's static members, called on the type.
  private func superclassTypeObject(
    _ call: inout LuaCall
  ) throws(LuaRaise) -> (name: String, typeObject: TypeObject) {
    var reader = call.arguments
    let type = try type(&reader)
    let parent = try self.type(&reader)
    let name = reader.displayString(reader.read()) ?? ""
    return (name, TypeObject(parent, runtime, on: metatype(of: type)))
  }

  private func type(_ reader: inout LuaReader) throws(LuaRaise) -> RunningType {
    let name = reader.displayString(reader.read()) ?? ""
    return try named { () throws(NameError) in try runtime.resolver.type(named: name) }
  }

  private func metatype(of type: RunningType) -> (any Any.Type)? {
    runtime.resolver.program.runtimeType(type.node)
  }

  /// The class that declares the innermost running override of a static method, if the type is that class
  /// or one below it.
  private func running(in type: RunningType) -> RunningType? {
    guard let metatype = metatype(of: type) else { return nil }
    let ancestry = TypeMetadata.ancestry(of: metatype, in: runtime.resolver.program)
    for owner in ActiveCall.ownersOfStaticOverrides {
      if let found = ancestry.first(where: { $0.nominal == owner.unbound }) { return found }
    }
    return nil
  }
}
