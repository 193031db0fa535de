// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingLua
internal import WaxwingValues

/// Members of values besides those of their type: for a struct, its stored properties by position;
/// for an enum, `case`, its payload by position and label, and `rawValue`; and `value`, if the type
/// has a Lua form of its own.
final class ValueMembers {
  private let type: any Any.Type
  private let name: String
  private let state: LuaState
  private let fields: [TypeMetadata.Field]
  /// The form of an enum; nil if the type is no enum.
  private let form: EnumForm?
  private let labels: Set<String>

  init(_ type: any Any.Type, _ name: String, _ state: LuaState) {
    self.type = type
    self.name = name
    self.state = state
    fields = TypeMetadata.kind(of: type) == .struct ? TypeMetadata.fields(of: type) : []
    func makeForm<Value>(_: Value.Type) -> EnumForm { EnumForm(Value.self) }
    let isEnum = [.enum, .optional].contains(TypeMetadata.kind(of: type))
    form = isEnum ? _openExistential(type, do: makeForm) : nil
    labels = Set(form?.cases.flatMap { EnumForm.elements(of: $0).compactMap(\.label) } ?? [])
  }

  /// The names of the members, for suggestions.
  var names: [String] {
    form == nil ? [] : ["case"] + labels + (type is any RawRepresentable.Type ? ["rawValue"] : [])
  }

  /// An accessor for a member that all values of the type have; nil if there is none of this name.
  func accessor(_ member: String) -> ((inout LuaCall) throws(LuaRaise) -> Void)? {
    if form != nil {
      if member == "case" { return { (call) throws(LuaRaise) in try self.case(&call) } }
      if labels.contains(member) {
        return { (call) throws(LuaRaise) in
          try self.payload(&call) { $0.firstIndex { $0.label == member } }
        }
      }
    }
    if member == "rawValue", let raw = type as? any RawRepresentable.Type {
      return { (call) throws(LuaRaise) in try self.rawValue(raw, &call) }
    }
    if member == "names", let options = type as? any OptionSet.Type {
      return { (call) throws(LuaRaise) in try self.memberNames(options, &call) }
    }
    if member == "value", hasForm {
      return { (call) throws(LuaRaise) in
        let memory = try self.memory(call)
        CodecLibrary.known(self.type).push(memory, call.writer)
      }
    }
    return nil
  }

  /// Gets a part by its position; Lua calls this as (proxy, position).
  func position(_ index: Int, _ call: inout LuaCall) throws(LuaRaise) {
    if form != nil {
      return try payload(&call) { $0.indices.contains(index - 1) ? index - 1 : nil }
    }
    guard fields.indices.contains(index - 1) else {
      if fields.isEmpty, let gap = MissingMetadata(type) {
        throw .message("the stored properties of \(name) are not known: \(gap.description)")
      }
      throw .message("\(name) has \(fields.count) stored properties: there is no [\(index)]")
    }
    try FieldAccess(fields[index - 1], name).read(&call, state)
  }

  /// (proxy): a struct's stored properties, or a payload, as several values.
  func parts(_ call: inout LuaCall) throws(LuaRaise) {
    if form != nil { return try payload(&call) }
    let memory = try memory(call)
    var temporaries = Temporaries()
    for field in fields {
      do throws(LuaRaise) {
        try FieldAccess(field, name).push(memory, call.writer, &temporaries)
      } catch {
        temporaries.end(state)
        throw error
      }
    }
    wax_lua_push_call_results(call.raw)
    temporaries.end(state)
  }
}

// MARK: - Enums

extension ValueMembers {
  private func `case`(_ call: inout LuaCall) throws(LuaRaise) {
    guard let form else { return }
    guard let name = form.case(of: try memory(call))?.name else {
      throw .message("the case of a \(self.name) has no name: \(missing)")
    }
    call.writer.string(name)
  }

  /// Gets the payload's value that `find` chooses; nil if it chooses none.
  private func payload(
    _ call: inout LuaCall, _ find: ([EnumForm.Element]) -> Int?
  ) throws(LuaRaise) {
    let (memory, enumCase, elements) = try taken(call)
    guard let index = find(elements) else { return call.writer.nil() }
    try push([elements[index]], of: memory, enumCase, &call)
  }

  private func payload(_ call: inout LuaCall) throws(LuaRaise) {
    let (memory, enumCase, elements) = try taken(call)
    try push(elements, of: memory, enumCase, &call)
  }

  private func taken(
    _ call: LuaCall
  ) throws(LuaRaise) -> (UnsafeMutableRawPointer, EnumCase, [EnumForm.Element]) {
    guard let form else { throw .message("\(name) is not an enum") }
    let memory = try memory(call)
    guard let enumCase = form.case(of: memory) else {
      throw .message("the payload of a \(name) is not known: \(missing)")
    }
    if enumCase.hasPayload, enumCase.payload == nil {
      throw .message(
        "the payload of \(name).\(enumCase.shownName) cannot be read: the runtime does not tell its type"
      )
    }
    return (memory, enumCase, EnumForm.elements(of: enumCase))
  }

  private func push(
    _ elements: [EnumForm.Element], of memory: UnsafeMutableRawPointer, _ enumCase: EnumCase,
    _ call: inout LuaCall
  ) throws(LuaRaise) {
    guard let form else { return }
    var codecs: [ValueCodec] = []
    for element in elements {
      do throws(UnsupportedType) {
        codecs.append(try form.codec(of: element, of: enumCase))
      } catch {
        throw .message("the payload of \(name).\(enumCase.shownName) cannot cross: \(error)")
      }
    }
    let writer = call.writer
    // The value itself keeps alive what is written of it.
    form.withPayload(of: memory, enumCase) { payload in
      for (element, codec) in zip(elements, codecs) { codec.push(payload + element.offset, writer) }
    }
  }

  /// The program's own getter may run.
  private func rawValue(
    _ raw: any RawRepresentable.Type, _ call: inout LuaCall
  ) throws(LuaRaise) {
    let memory = try memory(call)
    func get<Value: RawRepresentable>(_: Value.Type) -> Any {
      let value = memory.assumingMemoryBound(to: Value.self).pointee
      return state.suspended { value.rawValue }
    }
    var temporaries = Temporaries()
    let value = _openExistential(raw, do: get)
    func push<Value>(_ value: Value) throws(UnsupportedType) {
      let codec = try CodecLibrary.codec(for: Value.self)
      withUnsafePointer(to: value) { codec.push($0, call.writer) }
    }
    do throws(UnsupportedType) {
      try _openExistential(value, do: push)
    } catch {
      throw .message("the raw value of \(name) cannot cross: \(error)")
    }
    temporaries.add(value)
    wax_lua_push_call_results(call.raw)
    temporaries.end(state)
  }
}

// MARK: - Option sets

extension ValueMembers {
  /// The names of the members that make up an option set, the lowest bits first; after them, as an
  /// integer, the bits that no member has.
  private func memberNames(
    _ options: any OptionSet.Type, _ call: inout LuaCall
  ) throws(LuaRaise) {
    let memory = try memory(call)
    func bits<Options: OptionSet>(_: Options.Type, _ memory: UnsafeRawPointer) -> UInt64? {
      let raw = memory.assumingMemoryBound(to: Options.self).pointee.rawValue
      return (raw as? any FixedWidthInteger).map { UInt64(truncatingIfNeeded: $0) }
    }
    let buffer = call.arguments.source
    guard let all = state.suspended({ bits(options, memory) }) else {
      throw .message("the raw value of \(name) is no integer")
    }
    var known: [(name: String, bits: UInt64)] = []
    let codec = CodecLibrary.known(type)
    let member = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
    defer { member.deallocate() }
    for name in InstalledLayers.current.staticValues(of: type, buffer) {
      guard InstalledLayers.current.readStaticValue(name, of: type, buffer, into: member)
      else { continue }
      state.suspended {
        if let own = bits(options, member) { known.append((name, own)) }
        codec.destroy(member)
      }
    }
    let (names, rest) = OptionSetNames.covering(all, known)
    call.writer.array(count: names.count + (rest == 0 ? 0 : 1))
    for name in names { call.writer.string(name) }
    if rest != 0 { call.writer.integer(Int64(bitPattern: rest)) }
  }
}

// MARK: - Values

extension ValueMembers {
  /// Values of the type only become proxies where no type is declared.
  private var hasForm: Bool {
    guard let codec = try? CodecLibrary.codec(for: type) else { return false }
    return !codec.isBoxing
  }

  /// Why cases are not known.
  private var missing: String {
    MissingMetadata(type)?.description ?? "the runtime does not tell the cases"
  }

  private func memory(_ call: LuaCall) throws(LuaRaise) -> UnsafeMutableRawPointer {
    var reader = call.arguments
    let value = reader.read()
    if let memory = ValueBox.contents(of: value, type: TypeMetadata.pointer(to: type)) {
      return memory
    }
    throw .message("\(name) is expected, got \(ValueDescription.of(value, reader))")
  }
}
