// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingLua
internal import WaxwingValues

/// The methods that a script has added to types. A patch adds none once it has loaded.
package struct MethodDeclarations: Sendable {
  private struct Key: Hashable, Sendable {
    let descriptor: UInt
    let name: String
    let isStatic: Bool
  }

  /// The methods in the order of declaration.
  package private(set) var all: [AddedMethod] = []
  private var index: [Key: AddedMethod] = [:]
  /// Where in `all` the methods of objects are that a function is, by the function.
  private var places: [UInt: [Int]] = [:]

  package var isEmpty: Bool { all.isEmpty }

  mutating func add(_ method: AddedMethod) {
    if !method.isStatic { places[method.identity, default: []].append(all.count) }
    all.append(method)
    index[
      Key(descriptor: method.descriptor, name: method.name, isStatic: method.isStatic)] = method
  }

  /// The method of this name that the nearest of the classes has.
  /// - Parameter descriptors: Of the type itself, its superclass, and so on.
  func method(_ name: String, isStatic: Bool, in descriptors: [UInt]) -> AddedMethod? {
    if index.isEmpty { return nil }
    return descriptors.lazy.compactMap {
      index[Key(descriptor: $0, name: name, isStatic: isStatic)]
    }.first
  }

  /// The methods of these classes, those of the nearest first.
  func methods(isStatic: Bool, in descriptors: [UInt]) -> [AddedMethod] {
    if index.isEmpty { return [] }
    return descriptors.flatMap { descriptor in
      all.filter { $0.descriptor == descriptor && $0.isStatic == isStatic }
    }
  }

  /// The class in whose method the function is, if it is a method of one of these classes.
  func owner(ofFunction identity: UInt, among descriptors: [UInt]) -> UInt? {
    let owners = Set(methods(withFunction: identity).map(\.descriptor))
    return owners.isEmpty ? nil : descriptors.first(where: owners.contains)
  }

  /// The methods of objects that a function is, in the order of declaration.
  func methods(withFunction identity: UInt) -> [AddedMethod] {
    (places[identity] ?? []).map { all[$0] }
  }
}

extension MethodDeclarations {
  /// The method of this name that a type has, or instances of it.
  package func method(
    _ name: String, isStatic: Bool, of type: any Any.Type
  ) -> AddedMethod? {
    index.isEmpty
      ? nil : method(name, isStatic: isStatic, in: ClassLine.descriptors(of: type))
  }

  /// The names of the methods that a type has, or instances of it.
  package func names(isStatic: Bool, of type: any Any.Type) -> [String] {
    methods(isStatic: isStatic, in: ClassLine.descriptors(of: type)).map(\.name).uniqued
  }
}

// MARK: - Running methods

extension MethodDeclarations {
  /// The class that declares the innermost method of this object that is running in the Lua code
  /// which calls.
  func classOfRunningMethod(on receiver: wax_lua_value, _ call: LuaCall) -> (any Any.Type)? {
    guard !isEmpty, receiver.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = receiver.pointer
    else { return nil }
    let type = ObjectReference.dynamicType(object)
    let line = ClassLine.descriptors(of: type)
    var level: Int32 = 0
    while let function = wax_proxy_function_on(call.raw.pointee.L, object, &level) {
      if let owner = owner(ofFunction: UInt(bitPattern: function), among: line) {
        return ClassLine.type(of: owner, from: type)
      }
    }
    return nil
  }
}
