// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Classes that scripts make.
extension PreludeBindings {

  /// (name, the superclass: a type's name, the number of a class of the script's, or nil; the description
  /// of a field that is nil; whether it is to conform to protocols) -> number, title
  func makeClass(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    try checkIsPatch("classes are made", forWhat: "`\(name)`")
    guard runtime.isLoading else {
      throw .message(
        "classes are made while the patch loads, not in `when_loaded` or later: `\(name)` comes too "
          + "late")
    }
    guard !runtime.options.isParallel else {
      throw .message("a parallel patch cannot make classes: none of its Lua states has all objects")
    }
    if runtime.classes.has(name) {
      throw .message("the class `\(name)` is made twice in this patch")
    }
    let (superclass, parent) = try superclass(&reader)
    runtime.declarations.fields.empty =
      runtime.declarations.fields.empty ?? call.reference(toArgument: 2)
    let made = try declared { () throws(LuaClassError) in
      try runtime.classes.make(name, over: superclass, under: parent)
    }
    reader.skip()
    made.hasProtocols = reader.read().isTrue
    call.writer.integer(made.number)
    call.writer.string(made.made.name)
  }

  /// Fails if the script is no patch: nothing switches the overrides of other scripts on.
  func checkIsPatch(_ what: String, forWhat subject: String) throws(LuaRaise) {
    try checkIsNoShell(what)
    if runtime.isWholeProgram {
      throw .message(
        "\(what) by patches only: `waxwing run` has no program that could use \(subject)")
    }
  }

  /// Fails in a shell, which is loaded when it opens: it cannot make declarations that belong to
  /// loading.
  func checkIsNoShell(_ what: String) throws(LuaRaise) {
    guard runtime.options.isShell else { return }
    throw .message(
      "\(what) by patches only, and not in a shell: write it into a file and type "
        + "`waxwing apply FILE`; the shell sees what the patch makes")
  }

  private func superclass(
    _ reader: inout LuaReader
  ) throws(LuaRaise) -> (any Any.Type, ScriptClass?) {
    let value = reader.read()
    if value.isNil { return (LuaObject.self, nil) }
    if let parent = runtime.classes.known(value) { return (parent.made.type, parent) }
    let name = reader.displayString(value) ?? ""
    if let bound = BoundTypeName.type(name, in: runtime.resolver) { return (bound, nil) }
    let type = try named { () throws(NameError) in try runtime.resolver.type(named: name) }
    guard let found = runtime.resolver.program.runtimeType(type.node) else {
      let isGeneric = ContextDescriptor(type.descriptor)?.isGeneric == true
      throw .message(
        isGeneric
          ? "\(type.name) is generic: write its arguments, as in `\(type.path)<Int>`"
          : "\(type.name) has no metadata in this program: its layout is not known")
    }
    return (found, nil)
  }

  private func declared<Result>(
    _ body: () throws(LuaClassError) -> Result
  ) throws(LuaRaise) -> Result {
    do throws(LuaClassError) {
      return try body()
    } catch {
      throw .message(error.description)
    }
  }

  /// (number, type object, static type object): they stand for the class.
  func setClassObject(_ call: inout LuaCall) throws(LuaRaise) {
    let known = try scriptClass(&call)
    let metadata = UnsafeRawPointer(known.made.metadata)
    guard let reference = call.reference(toArgument: 2),
      call.setTypeObject(ofArgument: 1, to: metadata, isMain: true),
      call.setTypeObject(ofArgument: 2, to: metadata, isMain: false)
    else { throw .message("not enough memory") }
    known.staticTypeObject = reference
  }

  /// (function): is called when the script has loaded.
  func setFinisher(_ call: inout LuaCall) throws(LuaRaise) {
    guard let reference = call.reference(toArgument: 0) else { throw .message("not enough memory") }
    runtime.classes.finisher = reference
  }

  private func scriptClass(_ call: inout LuaCall) throws(LuaRaise) -> ScriptClass {
    var reader = call.arguments
    guard let known = runtime.classes.known(reader.read()) else { throw .message("no such class") }
    return known
  }
}

// MARK: - Functions

extension PreludeBindings {
  /// The purpose of a function of a class.
  private enum ClassFunctionKind: String {
    case method
    case getter
    case setter
    case initializer = "init"
    case deinitializer = "deinit"
  }

  /// (number, kind, static, name, function, the same for what `super` gives) -> what it overrides, as text, or
  /// nothing
  func addFunction(_ call: inout LuaCall) throws(LuaRaise) {
    let known = try scriptClass(&call)
    var reader = call.arguments
    reader.skip()
    let kind: ClassFunctionKind = try word(&reader)
    let isStatic = reader.read().isTrue
    let name = reader.displayString(reader.read()) ?? ""
    let identity = UInt(bitPattern: reader.read().pointer)
    guard runtime.declarations.areAllowed else {
      throw .message(
        "\(known.made.name) gets its functions while the patch loads; `\(name)` comes too late")
    }
    if !isStatic { try checkUnused(identity, by: known) }
    guard let reference = call.reference(toArgument: 4),
      let superReference = call.reference(toArgument: 5)
    else { throw .message("not enough memory") }
    var overrides = true
    switch kind {
    case .initializer:
      known.initializer = reference
      try overrideInitializers(of: known, &call)
    case .deinitializer:
      known.deinitializer = reference
      return
    case .method: overrides = try override(known, .method, isStatic, name, &call)
    case .getter: overrides = try override(known, .getter, isStatic, name, &call)
    case .setter: overrides = try override(known, .setter, isStatic, name, &call)
    }
    runtime.declarations.methods.add(
      AddedMethod(
        owner: known.made.qualifiedName, name: kind == .method ? name : "\(kind.rawValue) \(name)",
        isStatic: isStatic, origin: call.position() ?? .unknown, descriptor: known.descriptor,
        reference: reference, superReference: superReference, identity: identity, isOfClass: true,
        isOverride: overrides))
  }

  /// Fails if a superclass or subclass has this function as a method already. The function that
  /// runs tells which class's superclass `self.super` is, so classes must not share functions.
  private func checkUnused(_ identity: UInt, by known: ScriptClass) throws(LuaRaise) {
    let same = runtime.declarations.methods.methods(withFunction: identity)
    if same.isEmpty { return }
    let line = ClassLine.descriptors(of: known.made.type)
    let other = same.first { method in
      method.descriptor != known.descriptor
        && (line.contains(method.descriptor)
          || isBelow(method.descriptor, known.descriptor))
    }
    guard let other else { return }
    throw .message(
      "the function is already a method of \(other.owner), with which \(known.made.name) shares its "
        + "methods: give each a function of its own")
  }

  private func isBelow(_ descriptor: UInt, _ ancestor: UInt) -> Bool {
    runtime.classes.known(descriptor: descriptor).map {
      ClassLine.descriptors(of: $0.made.type).contains(ancestor)
    } ?? false
  }

  /// - Returns: Whether there is anything to override.
  private func override(
    _ known: ScriptClass, _ kind: MemberKind, _ isStatic: Bool, _ written: String,
    _ call: inout LuaCall
  ) throws(LuaRaise) -> Bool {
    let (name, stated) = Self.statedKind(written)
    let program = runtime.resolver.program
    let found = try named { () throws(NameError) in
      try known.function(name, kind, isStatic: isStatic, in: program)
    }
    guard let found else {
      noteOwn(name, kind, isStatic, known, call)
      return false
    }
    if known.points[found]?.isEmpty == false {
      throw .message("`\(name)` is overridden twice in \(known.made.name)")
    }
    try add(found, to: known, stated: stated, &call)
    return true
  }

  /// Notes a function that overrides nothing and so is new in the class, because another name may
  /// have been meant.
  private func noteOwn(
    _ name: String, _ kind: MemberKind, _ isStatic: Bool, _ known: ScriptClass, _ call: LuaCall
  ) {
    if known.hasProtocols { return }
    let names = known.ancestry.flatMap { runtime.resolver.program.members(of: $0) }
      .map(\.declaration).filter { kind.includes($0.kind) && $0.isStatic == isStatic }.map(
        \.baseName)
    guard !names.contains(name), let near = Suggestions.nearest(to: name, in: Set(names)).first
    else { return }
    runtime.options.host.log(
      LogLine(
        level: .warn,
        message: "`\(name)` is \(known.made.name)'s own and overrides nothing; "
          + "\(TypeName.short(known.made.superclass)) has `\(near)`",
        fields: [], position: call.position()))
  }

  /// Objects that Swift makes of the class, by its metatype, are initialized by Lua too.
  private func overrideInitializers(
    of known: ScriptClass, _ call: inout LuaCall
  ) throws(LuaRaise) {
    for function in known.designatedInitializers(in: runtime.resolver.program)
    where function.isPatchPoint {
      try add(function, to: known, stated: nil, &call)
    }
  }

  private func add(
    _ function: RunningFunction, to known: ScriptClass, stated: SelfKind?, _ call: inout LuaCall
  ) throws(LuaRaise) {
    let (place, target) = try declared { () throws(LuaClassError) in
      try known.overridable(function, in: runtime.resolver.program)
    }
    let point = known.overrides(of: place)
    let piece = AdvicePiece(.override, nil, declaredAt: call.position())
    try add(
      piece, .replacement, at: point, stated: stated, function: 4, &call, for: target)
  }

  /// (number, name, description of the default)
  func addField(_ call: inout LuaCall) throws(LuaRaise) {
    let known = try scriptClass(&call)
    var reader = call.arguments
    reader.skip()
    let name = reader.displayString(reader.read()) ?? ""
    guard let reference = call.reference(toArgument: 2) else { throw .message("not enough memory") }
    if runtime.types.members(of: known.made.superclass).hasSwiftMember(name) {
      throw .message(
        "\(TypeName.short(known.made.superclass)) has a Swift member `\(name)`: a field of that name "
          + "would hide it")
    }
    runtime.declarations.fields.add(
      .init(className: known.made.qualifiedName, name: name, reference: reference),
      descriptor: known.descriptor)
  }

  /// (number, name, the number of the class whose superclass it is seen as?) -> what the class has of this
  /// static name besides its own, or a method of its objects; and "getter", if it is to be called for the
  /// value, or "added static", if it is a Lua function that is to get the class
  func findStatic(_ call: inout LuaCall) throws(LuaRaise) {
    let (name, typeObject, viewed) = try staticTypeObject(&call)
    switch try typeObject.member(name, isStatic: viewed != nil) {
    case .function(let function), .method(let function): call.writer.function(function)
    case .getter(let function):
      call.writer.function(function)
      call.writer.string("getter")
    case .added(let method):
      call.writer.reference(method.reference)
      if method.isStatic { call.writer.string("added static") }
    case .type(let name): throw .message("`\(name)` is a type: name it by itself")
    }
  }

  /// Finds a static member, and returns nothing if there is none.
  func findOwnStatic(_ call: inout LuaCall) {
    // It has written nothing yet.
    do throws(LuaRaise) { try findStatic(&call) } catch {}
  }

  /// (number, name, the number of the class whose superclass it is seen as?) -> what sets the static
  /// property; nil: there is none
  func findStaticSetter(_ call: inout LuaCall) throws(LuaRaise) {
    let (name, typeObject, _) = try staticTypeObject(&call)
    if let setter = try typeObject.setter(name) { call.writer.function(setter) }
  }

  private func staticTypeObject(
    _ call: inout LuaCall
  ) throws(LuaRaise) -> (name: String, typeObject: TypeObject, viewed: (any Any.Type)?) {
    let known = try scriptClass(&call)
    var reader = call.arguments
    reader.skip()
    let name = reader.displayString(reader.read()) ?? ""
    guard let type = known.ancestry.first else {
      throw .message("\(known.made.name) has no member `\(name)`")
    }
    let viewed = runtime.classes.known(reader.read())?.made.superclass
    return (name, TypeObject(type, runtime, on: known.made.type, viewedAs: viewed), viewed)
  }
}

// MARK: - Objects

extension PreludeBindings {
  /// (number) -> an object that its initializer has not made yet
  func makeInstance(_ call: inout LuaCall) throws(LuaRaise) {
    let known = try scriptClass(&call)
    call.writer.proxy(
      WAX_PROXY_KIND_PENDING, known.made.allocate(), type: UnsafeRawPointer(known.made.metadata))
  }

  /// (object) -> true: it is initialized; false: its superclass's initializer has failed; nil: that has
  /// not been called. What is not initialized is freed.
  func finishInstance(_ call: inout LuaCall) {
    var reader = call.arguments
    let value = reader.read()
    guard value.tag == WAX_LUA_VALUE_PROXY.rawValue else { return call.writer.boolean(true) }
    let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self)
    guard proxy.pointee.kind == WAX_PROXY_KIND_PENDING.rawValue, let memory = proxy.pointee.pointer,
      let type = proxy.pointee.type
    else { return call.writer.boolean(false) }
    proxy.pointee.kind = 0
    Instance.abandon(memory, madeBy: TypeMetadata.type(at: type))
    call.writer.nil()
  }
}
