// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The members of one Swift type's instances in Lua: properties, methods, originals, by name.
///
/// A name is looked up here once; the accessor that was found is then kept with the type's
/// metatable. The type is the dynamic one, so that methods are found as Swift dispatches them: in
/// the instance's own class first.
final class InstanceMembers {
  let type: any Any.Type
  private let name: String
  unowned let runtime: ScriptRuntime
  private let fields: [TypeMetadata.Field]
  private let values: ValueMembers
  private let descriptors: [UInt]
  /// The type and its superclasses, as far as symbols name them.
  let ancestry: [RunningType]
  /// By name: what extensions of protocols give the type, as long as conformances and classes stay as they are.
  private var inheritedMethods: [String: UnsafeMutablePointer<wax_lua_callback>] = [:]
  private var inheritedEpoch: Int64 = 0

  init(_ type: any Any.Type, _ runtime: ScriptRuntime) {
    self.type = type
    self.runtime = runtime
    name =
      type == OpaqueValue.self
      ? OpaqueValue.shownName : ModuleNames.displayed(TypeName.full(type))
    fields = TypeMetadata.fields(of: type)
    values = ValueMembers(type, name, runtime.state)
    descriptors = ClassLine.descriptors(of: type)
    ancestry = TypeMetadata.ancestry(of: type, in: runtime.resolver.program)
  }

  /// Defines the metatable. The state is entered.
  /// - Parameter isSuper: Whether it is the one for subclasses' instances, seen as this class's.
  func define(_ L: OpaquePointer, isSuper: Bool) -> Bool {
    let viewed = isSuper ? type : nil
    let get = runtime.state.register { [unowned self] (call) throws(LuaRaise) in
      try self.get(&call, viewedAs: viewed)
    }
    let set = runtime.state.register { [unowned self] (call) throws(LuaRaise) in
      try self.set(&call, viewedAs: viewed)
    }
    let describe = runtime.state.register { [unowned self] (call) throws(LuaRaise) in
      self.describe(&call)
    }
    let length = runtime.state.register { [unowned self] (call) throws(LuaRaise) in
      try self.count(&call, viewedAs: viewed)
    }
    return name.withCString { name in
      var metatable = wax_proxy_metatable()
      metatable.name = name
      metatable.get = get
      metatable.set = set
      metatable.describe = describe
      metatable.equals = runtime.types.operators.equals
      metatable.length = length
      return runtime.types.operators.events.withUnsafeBufferPointer { events in
        metatable.events = events.baseAddress
        metatable.event_count = Int32(events.count)
        return wax_proxy_define_metatable(
          L, TypeMetadata.pointer(to: type), isSuper ? WAX_PROXY_KIND_SUPER.rawValue : 0,
          &metatable)
      }
    }
  }

  // MARK: Reading

  /// Gets a member; Lua calls this as (proxy, name).
  func get(
    _ call: inout LuaCall, viewedAs viewed: (any Any.Type)? = nil
  ) throws(LuaRaise) {
    var reader = call.arguments
    let receiver = reader.read()
    let key = reader.read()
    guard let member = reader.string(key) else {
      if let opaque = opaqueValue(receiver) { throw .message(opaque.lacks("subscript")) }
      return try get(key, reader, viewed, &call)
    }
    if member.hasPrefix("ORIG") {
      let name = String(member.dropFirst(4))
      if let opaque = opaqueValue(receiver), overridden(name).isEmpty {
        throw Self.noMember(member, of: opaque)
      }
      if let stand = try runtime.standInOriginal({ overridden(name) }, name) {
        return call.writer.reference(stand)
      }
      call.raw.pointee.keeps_result = true
      call.writer.function(try original(name))
      return
    }
    if let opaque = opaqueValue(receiver) { throw Self.noMember(member, of: opaque) }
    if try getUninitialized(receiver, member, &call) { return }
    try checkInitialized(receiver, member)
    if try foundDeclaredField(member, call) { return }
    if try foundAddedMethod(member, isSuper: viewed != nil, &call) { return }
    if foundOwnAccessor("getter \(member)", isSuper: viewed != nil, call) { return }
    if member == "super", isClass, !hasOwnSuper {
      return try pushSuper(of: receiver, viewedAs: viewed, call)
    }
    // Its memory, not its getter: that traps if an unowned object is gone.
    if let field = try storedField(member) { return try read(field, &call) }
    if member == "subscript" || member.hasPrefix("subscript(") {
      return try subscriptMethod(member, viewed, &call)
    }
    if let getter = try function(member, .getter) {
      return try use(getter, viewed, &call) { (getter, call) throws(LuaRaise) in
        try getter.runOnReceiver(&call)
      }
    }
    let methods = functions(member, .method)
    if methods.isEmpty { return try getValueMember(member, viewed, &call) }
    call.raw.pointee.keeps_result = true
    let overloads = OverloadSet(methods, named: member, in: runtime) { [unowned self] in
      inherited(member, .method)
    }
    overloads.viewed = viewed
    call.writer.function(overloads.register())
  }

  /// Calls an accessor, and lets C keep it for the next time.
  /// - Parameter viewed: The superclass that the object is seen as.
  private func use(
    _ accessor: RunningFunction, _ viewed: (any Any.Type)?, _ call: inout LuaCall,
    _ body: (any LuaCallable, inout LuaCall) throws(LuaRaise) -> Void
  ) throws(LuaRaise) {
    let made: any LuaCallable
    do throws(PlanError) {
      made =
        if let viewed { try SuperCall(accessor, viewed, runtime) } else {
          try runtime.call(accessor, .current)
        }
    } catch {
      throw .message(error.description)
    }
    let callback = runtime.state.register { (call) throws(LuaRaise) in try made.run(&call) }
    (made as? FunctionCall)?.offerDirect(to: callback)
    call.raw.pointee.member = callback
    try body(made, &call)
  }

  /// Gets a member that the type itself does not have.
  private func getValueMember(
    _ member: String, _ viewed: (any Any.Type)?, _ call: inout LuaCall
  ) throws(LuaRaise) {
    if let accessor = values.accessor(member) {
      call.raw.pointee.member = runtime.state.register(accessor)
      return try accessor(&call)
    }
    if let method = CodingMembers.method(member, of: type, in: runtime.state) {
      call.raw.pointee.keeps_result = true
      return call.writer.function(runtime.state.register(method))
    }
    if try getInherited(member, &call) { return }
    if try !subscripts(viewed).takeIndex(of: call) {
      if try addOwnField(member, call) { return }
      throw unknown(member)
    }
    try subscripts(viewed).get(&call)
  }

  /// Gets a member that extensions of protocols give the type.
  private func getInherited(_ member: String, _ call: inout LuaCall) throws(LuaRaise) -> Bool {
    if let getter = inherited(member, .getter).first {
      call.raw.pointee.member = try callable(getter, .current)
      try self.call(getter, .current).runOnReceiver(&call)
      return true
    }
    guard let methods = inheritedMethods(member) else { return false }
    call.raw.pointee.keeps_result = !runtime.declarations.mayAddMethods
    call.writer.function(methods)
    return true
  }

  /// The methods of this name that extensions of protocols give the type, as one function; nil: there are none.
  private func inheritedMethods(_ member: String) -> UnsafeMutablePointer<wax_lua_callback>? {
    let epoch = wax_call_choices_epoch()
    if epoch != inheritedEpoch { (inheritedEpoch, inheritedMethods) = (epoch, [:]) }
    if let known = inheritedMethods[member] { return known }
    let methods = inherited(member, .method)
    if methods.isEmpty { return nil }
    let overloads = OverloadSet(methods, named: member, in: runtime)
    // Lua code may have kept the function.
    overloads.renew = { [unowned self] () throws(LuaRaise) in
      let found = inherited(member, .method)
      if found.isEmpty { throw unknown(member) }
      return found
    }
    let made = overloads.register()
    inheritedMethods[member] = made
    return made
  }

  /// (proxy, key), the key no name: a subscript's index, or the position of a property or payload.
  private func get(
    _ key: wax_lua_value, _ reader: LuaReader, _ viewed: (any Any.Type)?, _ call: inout LuaCall
  ) throws(LuaRaise) {
    try vectors?.checkLane(key)
    var rest = call.arguments
    let isValue = ValueBox.contents(of: rest.read()) != nil
    let position = isValue ? rest.peekedIndex : nil
    if let position, try !subscripts(viewed).takeIndex(of: call) {
      return try values.position(position, &call)
    }
    try subscripts(viewed).get(&call)
  }

  private func subscripts(_ viewed: (any Any.Type)?) -> SubscriptAccess {
    viewed == nil ? ownSubscripts : superSubscripts
  }

  /// The operators of SIMD values; nil if the type is no SIMD type.
  private lazy var vectors = VectorOperators(type)
  private lazy var ownSubscripts = makeSubscripts(viewedAs: nil)
  private lazy var superSubscripts = makeSubscripts(viewedAs: type)

  private func makeSubscripts(viewedAs viewed: (any Any.Type)?) -> SubscriptAccess {
    SubscriptAccess(
      ancestry.flatMap { runtime.resolver.program.members(of: $0) }.filter {
        !$0.declaration.isStatic
      }, of: name, viewedAs: viewed, in: runtime)
  }

  /// `subscript`, or one of several by its full name, as a method.
  private func subscriptMethod(
    _ member: String, _ viewed: (any Any.Type)?, _ call: inout LuaCall
  ) throws(LuaRaise) {
    let getters = functions(member, .getter).filter {
      $0.declaration.kind == .subscriptGetter
    }
    if getters.isEmpty { throw unknown(member) }
    call.raw.pointee.keeps_result = true
    let overloads = OverloadSet(getters, named: member, in: runtime)
    overloads.viewed = viewed
    call.writer.function(overloads.register())
  }

  private func checkInitialized(_ receiver: wax_lua_value, _ member: String) throws(LuaRaise) {
    guard receiver.tag == WAX_LUA_VALUE_PROXY.rawValue else { return }
    let kind = receiver.pointer.assumingMemoryBound(to: wax_proxy.self).pointee.kind
    if kind == WAX_PROXY_KIND_PENDING.rawValue {
      throw .message(
        "`\(member)` of a \(name) that is not initialized yet: call its original initializer first")
    }
    if kind == 0 { throw .message("`\(member)` of a \(name) that does not exist any more") }
  }

  /// The stored property of this name, unless a class below the one that declares it has a getter of
  /// its own for it.
  private func storedField(_ member: String) throws(LuaRaise) -> TypeMetadata.Field? {
    guard let field = fields.last(where: { $0.name == member }) else { return nil }
    if LuaClass.of(type) != nil, mayHaveOwnGetter(member),
      try function(member, .getter) != nil
    {
      return nil
    }
    var current: (any Any.Type)? = type
    while let below = current, let parent = TypeMetadata.superclass(of: below) {
      // Inherited properties come first.
      guard TypeMetadata.fields(of: parent).contains(where: { $0.offset == field.offset }) else {
        return field
      }
      if try overrides(member, below) { return nil }
      current = parent
    }
    return field
  }

  private func overrides(_ member: String, _ type: any Any.Type) throws(LuaRaise) -> Bool {
    guard let known = ancestry.first(where: { $0.descriptor == TypeMetadata.descriptor(of: type) })
    else { return false }
    return runtime.resolver.program.members(of: known).contains {
      $0.declaration.kind == .getter && !$0.declaration.isStatic
        && $0.declaration.baseName == member
    }
  }

  /// Whether the program has a member of that name: it comes first.
  private lazy var hasOwnSuper = hasSwiftMember("super")

  private func pushSuper(
    of receiver: wax_lua_value, viewedAs viewed: (any Any.Type)?, _ call: LuaCall
  ) throws(LuaRaise) {
    try SuperReference.push(
      receiver,
      viewedAs: viewed ?? runtime.declarations.methods.classOfRunningMethod(on: receiver, call),
      call.writer,
      in: runtime.resolver.program)
  }

  /// Gets a part of an object or a value besides the members of its type, even if a member has the
  /// same name; Lua calls this as (proxy, name).
  func getPart(_ name: String, _ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let receiver = reader.read()
    if name == "super", isClass {
      return try pushSuper(of: receiver, viewedAs: nil, call)
    }
    guard let accessor = values.accessor(name) else {
      throw .message(
        "`patching` gives no `\(name)` of a \(self.name): it gives `super` of an object, `case`, `rawValue` and the "
          + "labels of an enum's payload, and `value`")
    }
    try accessor(&call)
  }

  /// (proxy): a struct's stored properties, or an enum's payload, as several values.
  func parts(_ call: inout LuaCall) throws(LuaRaise) { try values.parts(&call) }

  private var isClass: Bool { TypeMetadata.kind(of: type) == .class }

  private func read(_ field: TypeMetadata.Field, _ call: inout LuaCall) throws(LuaRaise) {
    let accessor = try FieldAccess(field, name, ofActor: FunctionIsolation.isActor(type))
    let state = runtime.state!
    let callback = state.register { (call) throws(LuaRaise) in try accessor.read(&call, state) }
    if isClass { accessor.offerDirect(to: callback, writes: false, in: state) }
    call.raw.pointee.member = callback
    try accessor.read(&call, state)
  }

  /// (proxy): what `#` gives.
  private func count(
    _ call: inout LuaCall, viewedAs viewed: (any Any.Type)?
  ) throws(LuaRaise) {
    var reader = call.arguments
    if let opaque = opaqueValue(reader.read()) { throw .message(opaque.lacks("length")) }
    if let field = try storedField("count") {
      return try FieldAccess(field, name, ofActor: FunctionIsolation.isActor(type)).read(
        &call, runtime.state)
    }
    guard let getter = try function("count", .getter) else {
      if let collection = CollectionCount(type, runtime.state) { return try collection.run(&call) }
      throw .message("\(name) has no `count`, which `#` asks for")
    }
    if let viewed, let passing = try? SuperCall(getter, viewed, runtime) {
      return try passing.runOnReceiver(&call)
    }
    try self.call(getter, .current).runOnReceiver(&call)
  }

  // MARK: Writing

  /// Sets a member; Lua calls this as (proxy, name, value).
  private func set(
    _ call: inout LuaCall, viewedAs viewed: (any Any.Type)? = nil
  ) throws(LuaRaise) {
    var reader = call.arguments
    let receiver = reader.read()
    let key = reader.read()
    guard let member = reader.string(key) else {
      if let opaque = opaqueValue(receiver) { throw .message(opaque.lacks("subscript")) }
      try vectors?.checkLane(key)
      return try subscripts(viewed).set(&call)
    }
    if let opaque = opaqueValue(receiver) { throw Self.noMember(member, of: opaque) }
    if try setUninitialized(receiver, member, &call) { return }
    try checkInitialized(receiver, member)
    if try foundDeclaredField(member, call) { return }
    if foundOwnAccessor("setter \(member)", isSuper: viewed != nil, call) { return }
    if let setter = try function(member, .setter) {
      return try use(setter, viewed, &call) { (setter, call) throws(LuaRaise) in
        try setter.runSkippingName(&call)
      }
    }
    guard let field = fields.last(where: { $0.name == member }) else {
      if try !subscripts(viewed).takeIndex(of: call) {
        if try addOwnField(member, call) { return }
        throw unknownProperty(member)
      }
      return try subscripts(viewed).set(&call)
    }
    let accessor = try FieldAccess(field, name, ofActor: FunctionIsolation.isActor(type))
    try accessor.checkWritable()
    let state = runtime.state!
    let callback = state.register { (call) throws(LuaRaise) in
      try accessor.write(&call, valueIndex: 1, state)
      call.raw.pointee.changed_receiver = true
    }
    if isClass { accessor.offerDirect(to: callback, writes: true, in: state) }
    call.raw.pointee.member = callback
    try accessor.write(&call, valueIndex: 2, state)
    call.raw.pointee.changed_receiver = true
  }

  // MARK: Fields of the script's own

  /// Lets C find the field that the script has declared for this class or one above it.
  private func foundDeclaredField(_ member: String, _ call: LuaCall) throws(LuaRaise) -> Bool {
    guard let field = runtime.declarations.fields.field(member, in: descriptors) else {
      return false
    }
    if hasSwiftMember(member) {
      throw .message(
        "`\(member)` is a field that the script has declared for \(field.className), and a Swift "
          + "member of \(name); give the field another name")
    }
    call.raw.pointee.field = field.reference
    return true
  }

  /// Gives Lua the method that the script has added to this type or a class above it.
  /// - Parameter isSuper: The method gets the object itself, not what its superclass has of it.
  private func foundAddedMethod(
    _ member: String, isSuper: Bool, _ call: inout LuaCall
  ) throws(LuaRaise) -> Bool {
    guard let method = runtime.declarations.methods.method(member, isStatic: false, in: descriptors)
    else {
      return false
    }
    if !method.isOfClass, hasSwiftMember(member) {
      throw .message(
        "`\(member)` is a method that the script has added to \(method.owner), and a Swift member "
          + "of \(name); give the method another name")
    }
    // A class nearer to the object's own may yet get one of the name.
    call.raw.pointee.keeps_result = !runtime.declarations.mayAddMethods
    call.writer.reference(isSuper ? method.superReference : method.reference)
    return true
  }

  /// Whether the name means something in Swift.
  func hasSwiftMember(_ member: String) -> Bool {
    if fields.contains(where: { $0.name == member }) { return true }
    do throws(LuaRaise) {
      for kind in [MemberKind.getter, .setter, .method] {
        if try function(member, kind) != nil { return true }
      }
      return false
    } catch {
      return true  // several
    }
  }

  // MARK: Functions

  /// The plan of the setter of a property of this type.
  func setterPlan(_ name: String) throws(LuaRaise) -> CallPlan? {
    guard let function = try function(name, .setter) else { return nil }
    do throws(PlanError) {
      return try runtime.plans.plan(function, on: type)
    } catch {
      throw .message(error.description)
    }
  }

  func call(
    _ function: RunningFunction, _ target: CallTarget
  ) throws(LuaRaise) -> any LuaCallable {
    do throws(PlanError) {
      return try runtime.call(function, target)
    } catch {
      throw .message(error.description)
    }
  }

  private func callable(
    _ function: RunningFunction, _ target: CallTarget
  ) throws(LuaRaise) -> UnsafeMutablePointer<wax_lua_callback> {
    do throws(PlanError) {
      return try runtime.callable(function, target)
    } catch {
      throw .message(error.description)
    }
  }

  /// The members that extensions of the type's protocols give it.
  private func inherited(_ member: String, _ kind: MemberKind) -> [RunningFunction] {
    runtime.resolver.extensionMembers(member, of: type) {
      kind.includes($0.kind) && !$0.isStatic && !$0.isInitializer
    }
  }

  /// The functions of this name, those of the nearest class first.
  private func functions(_ member: String, _ kind: MemberKind) -> [RunningFunction] {
    let members = ancestry.flatMap { runtime.resolver.program.members(of: $0) }.filter {
      kind.includes($0.declaration.kind) && !$0.declaration.isStatic
    }
    return NameResolver.preferred(Selector(text: member).matches(among: members))
  }

  /// The function of this name in the nearest class that has one.
  func function(_ member: String, _ kind: MemberKind) throws(LuaRaise) -> RunningFunction? {
    for type in ancestry {
      let members = runtime.resolver.program.members(of: type).filter {
        kind.includes($0.declaration.kind) && !$0.declaration.isStatic
      }
      let found = NameResolver.preferred(Selector(text: member).matches(among: members))
      if found.count > 1 {
        throw .message(
          NameError.ambiguous(member, NameResolver.distinctNames(found)).description)
      }
      if let function = found.first { return function }
    }
    return nil
  }

  // MARK: Opaque values

  var isOpaque: Bool { type == OpaqueValue.self }

  /// The opaque value in a proxy; nil for other values.
  private func opaqueValue(_ receiver: wax_lua_value) -> OpaqueValue? {
    guard isOpaque else { return nil }
    return ValueBox.contents(of: receiver)?.memory.assumingMemoryBound(to: OpaqueValue.self).pointee
  }

  private static func noMember(_ member: String, of value: OpaqueValue) -> LuaRaise {
    .message(value.lacks("`\(member)`"))
  }

  // MARK: Messages

  func unknown(_ member: String) -> LuaRaise {
    let members = ancestry.flatMap { runtime.resolver.program.members(of: $0) }
      .flatMap { [$0.declaration.baseName, $0.declaration.selector] }
    let names =
      fields.compactMap(\.name) + members + values.names
      + runtime.declarations.fields.names(in: descriptors)
      + runtime.declarations.methods.methods(isStatic: false, in: descriptors).map(\.name)
    return .message(
      MissingMember.error(
        name, member, "member", among: names, in: ancestry, runtime.resolver.program
      ).description + gap)
  }

  private func unknownProperty(_ member: String) -> LuaRaise {
    let setters = ancestry.flatMap { runtime.resolver.program.members(of: $0) }
      .map(\.declaration).filter { $0.kind == .setter && !$0.isStatic }.map(\.baseName)
    let names =
      fields.compactMap(\.name) + setters + runtime.declarations.fields.names(in: descriptors)
    return .message(
      NameError.unknown(
        "\(name) has no property `\(member)` that can be set",
        near: Suggestions.nearest(to: member, in: Set(names))
      ).description + gap)
  }

  /// A note about missing metadata of the program, for the end of an error.
  private var gap: String { MissingMetadata(type).map { "; \($0.description)" } ?? "" }

  /// Describes a value; Lua calls this as (proxy).
  private func describe(_ call: inout LuaCall) {
    var reader = call.arguments
    let value = reader.read()
    call.writer.string(
      ProxyDescription.of(
        value, &reader, name, in: runtime.state, runtime.resolver.program))
  }
}
