// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The function `typeof`.
extension PreludeBindings {
  /// (value, all): what there is to say of its type; what Lua calls it for Lua's own values.
  func describeType(_ call: inout LuaCall) {
    var reader = call.arguments
    let value = reader.read()
    guard let type = Self.type(of: value) else {
      call.writer.string(
        value.tag == WAX_LUA_VALUE_PROXY.rawValue ? Self.other(value) : value.kindName)
      return
    }
    write(listing(type, known(type), reader.read()), call.writer)
  }

  /// (value, name of a type, in place of the value): the type's name, kind and superclass, and the type, for
  /// `completeType`; what Lua calls it for Lua's own values; nothing for a generic type.
  func describeBriefly(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let value = reader.peeked
    reader.skip()
    let type: (any Any.Type)?
    if let name = reader.displayString(reader.peeked) {
      let known = try named { () throws(NameError) in try runtime.resolver.type(named: name) }
      type = runtime.resolver.program.runtimeType(known.node)
      if type == nil { return }
    } else {
      type = Self.type(of: value)
    }
    guard let type else {
      return call.writer.string(
        value.tag == WAX_LUA_VALUE_PROXY.rawValue ? Self.other(value) : value.kindName)
    }
    write(TypeListing(type), call.writer)
    call.writer.metatype(TypeMetadata.pointer(to: type))
  }

  /// (type): all there is to say of a type that was described briefly.
  func completeType(_ call: inout LuaCall) {
    guard let type = Metatype.type(of: call.arguments.peeked) else { return }
    write(listing(type, known(type), wax_lua_value()), call.writer)
  }

  private func known(_ type: any Any.Type) -> RunningType? {
    TypeMetadata.descriptor(of: type).flatMap(
      runtime.resolver.program.type(withDescriptor:))
  }

  /// (value): the name by which `class` finds its type; nil if that is no type of Swift's.
  func nameType(_ call: inout LuaCall) {
    var reader = call.arguments
    guard let type = Self.type(of: reader.read()) else { return }
    if let own = runtime.classes.known(type) { return call.writer.string(own.made.name) }
    let program = runtime.resolver.program
    guard
      let known = TypeMetadata.descriptor(of: type).flatMap(program.type(withDescriptor:)),
      program.runtimeType(known.node) == type
    else { return call.writer.string(TypeName.short(type)) }
    call.writer.string(runtime.resolver.canonicalName(of: known))
  }

  /// (value) -> the type object of its type; nothing if that is no type of Swift's.
  func findTypeObject(_ call: inout LuaCall) {
    guard let type = Self.type(of: call.arguments.peeked) else { return }
    call.writer.metatype(TypeMetadata.pointer(to: type))
  }

  /// (value, type object) -> whether the value's type is this one, or a class below it; nothing if the type object is
  /// that of a generic type, which is no type by itself.
  func compareTypeObject(_ call: inout LuaCall) {
    var reader = call.arguments
    let value = reader.peeked
    reader.skip()
    guard let wanted = Metatype.type(of: reader.peeked) else { return }
    let type = Self.type(of: value)
    call.writer.boolean(
      type.map { $0 == wanted || TypeMetadata.isClass($0, orInheritsFrom: wanted) } ?? false)
  }

  /// (value, name of a type) -> whether the value's type is this one, or a class below it
  func compareType(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let value = reader.read()
    let name = reader.displayString(reader.read()) ?? ""
    let own = ownClass(name)?.made.type
    let wanted =
      own == nil
      ? try named { () throws(NameError) in try runtime.resolver.type(named: name) }.nominal : nil
    var type = Self.type(of: value)
    while let found = type {
      if let own, found == own { return call.writer.boolean(true) }
      if let wanted, let descriptor = TypeMetadata.descriptor(of: found),
        runtime.resolver.program.type(withDescriptor: descriptor)?.nominal == wanted
      {
        return call.writer.boolean(true)
      }
      type = TypeMetadata.kind(of: found) == .class ? TypeMetadata.superclass(of: found) : nil
    }
    call.writer.boolean(false)
  }

  /// (name, all): the same of a type by its name.
  func describeNamedType(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    let known: RunningType
    do throws(NameError) { known = try runtime.resolver.type(named: name) } catch {
      throw .message(error.description)
    }
    let all = reader.read()
    let type = runtime.resolver.program.runtimeType(known.node)
    var found = type.map { listing($0, known, all) } ?? TypeListing(known, in: runtime.resolver)
    if type == nil { found.members += addedMethods([known.descriptor]) }
    write(found, call.writer)
  }

  private func listing(
    _ type: any Any.Type, _ known: RunningType?, _ all: wax_lua_value
  ) -> TypeListing {
    var listing = TypeListing(type, known, in: runtime.resolver, all: all.integer != 0)
    listing.members += addedMethods(ClassLine.descriptors(of: type))
    return listing
  }

  /// The methods that the script has added to classes, as far as a Lua function tells.
  private func addedMethods(_ descriptors: [UInt]) -> [String] {
    [false, true].flatMap { isStatic in
      runtime.declarations.methods.methods(isStatic: isStatic, in: descriptors)
        .map { "\(isStatic ? "static " : "")func \($0.name)(...)" }.uniqued.sorted()
    }
  }

  /// (name): the same of a module.
  func describeModule(_ call: inout LuaCall) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    write(TypeListing(module: name, in: runtime.resolver), call.writer)
  }

  /// (start): types and modules whose names begin so.
  func findGlobals(_ call: inout LuaCall) {
    var reader = call.arguments
    let start = reader.displayString(reader.read()) ?? ""
    let names = runtime.resolver.globalNames(start: start)
    call.writer.array(count: names.count)
    for name in names { call.writer.string(name) }
  }

  private static func type(of value: wax_lua_value) -> (any Any.Type)? {
    if value.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = value.pointer {
      return ObjectReference.dynamicType(object)
    }
    guard value.tag == WAX_LUA_VALUE_PROXY.rawValue else { return nil }
    let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    switch wax_proxy_kind(rawValue: proxy.kind) {
    case WAX_PROXY_KIND_VALUE, WAX_PROXY_KIND_PENDING:
      let type = proxy.type.map { TypeMetadata.type(at: $0) }
      return type is any StandInValue.Type ? nil : type
    case WAX_PROXY_KIND_ERROR:
      guard let box = proxy.pointer else { return nil }
      return withUnsafePointer(to: box) {
        Swift.type(of: UnsafeRawPointer($0).assumingMemoryBound(to: (any Error).self).pointee)
      }
    default: return nil
    }
  }

  /// Userdata that stand for no value of a Swift type.
  private static func other(_ value: wax_lua_value) -> String {
    let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    switch wax_proxy_kind(rawValue: proxy.kind) {
    case WAX_PROXY_KIND_UINT64: return "integer"
    case WAX_PROXY_KIND_WEAK: return "weak reference"
    case WAX_PROXY_KIND_POINTER: return "pointer"
    case WAX_PROXY_KIND_VALUE: return "opaque value"
    default: return "userdata"
    }
  }

  private func write(_ listing: TypeListing, _ writer: LuaWriter) {
    writer.table(count: (listing.superclass == nil ? 2 : 3) + (listing.isBrief ? 0 : 2))
    func strings(_ name: String, _ strings: [String]) {
      writer.string(name)
      writer.array(count: strings.count)
      for string in strings { writer.string(string) }
    }
    func string(_ name: String, _ string: String) {
      writer.string(name)
      writer.string(string)
    }
    string("name", listing.name)
    string("kind", listing.kind)
    if let superclass = listing.superclass { string("superclass", superclass) }
    if listing.isBrief { return }
    strings("protocols", listing.protocols)
    strings("members", listing.members)
  }
}
