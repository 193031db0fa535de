// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The function `conform`.
extension PreludeBindings {

  /// What lua/waxwing/conform.lua asks for: a table `waxwing.Conformance`.
  private struct ConformanceRequest {
    let type: String
    let protocolName: String
    let members: [ConformanceMembers.Given]
    let types: [(name: String, type: String)]
    let isLenient: Bool

    init(_ table: ScriptTable) throws {
      type = try table.text("type")
      protocolName = try table.text("protocol")
      members = try table.tables("members") { member in
        ConformanceMembers.Given(
          isStatic: try member.boolean("static"), kind: try member.word("kind"),
          name: try member.text("name"))
      }
      types = try table.tables("types") { (try $0.text("name"), try $0.text("type")) }
      isLenient = try table.boolean("is_lenient")
    }
  }

  /// (conformance) -> number, and an array of the requirements that a Lua function is needed for, each a
  /// table `waxwing.NeededFunction`.
  func declareConformance(_ call: inout LuaCall) throws(LuaRaise) {
    try checkIsPatch("conformances are declared", forWhat: "one")
    guard runtime.isLoading else {
      throw .message("conformances are declared while the patch loads; this comes too late")
    }
    var reader = call.arguments
    let request: ConformanceRequest
    do { request = try ConformanceRequest(ScriptTable(&reader)) } catch {
      throw .message("no conformance: \(error)")
    }
    let owner = try named { () throws(NameError) in
      try runtime.resolver.protocolNamed(request.protocolName)
    }
    let type = try conformingType(request.type)
    try checkNew(type, owner)
    let builder = WitnessTableBuilder(
      type: type.metadata, typeName: type.name, types: try associatedTypes(request.types),
      declared: runtime.declarations.conformances.flatMap(\.all), program: runtime.resolver.program)
    do throws(ConformanceError) {
      let made = try builder.conformance(to: owner)
      let bases = try Self.newBases(of: made, runtime)
      let members = ConformanceMembers(
        request.members, of: type, in: runtime.resolver.program, isLenient: request.isLenient)
      let needed = try members.match(bases + [made])
      runtime.declarations.conformances.append(DeclaredConformance(made, bases: bases))
      call.writer.integer(runtime.declarations.conformances.count)
      Self.write(needed, to: call.writer)
    } catch {
      throw .message(error.description)
    }
  }

  private static func write(_ needed: [ConformanceMembers.Needed], to writer: LuaWriter) {
    writer.array(count: needed.count)
    for each in needed {
      switch each.answer {
      case .given(let index):
        writer.table(count: 2)
        writer.string("given")
        writer.integer(index + 1)
      case .forward(let forward, let name):
        writer.table(count: 3)
        writer.string("forward")
        writer.string(forward.rawValue)
        writer.string("name")
        writer.string(name)
      }
      writer.string("place")
      writer.integer(each.place)
    }
  }

  /// The conformances to inherited protocols that are not declared yet.
  private static func newBases(
    of made: MadeConformance, _ runtime: ScriptRuntime
  ) throws(ConformanceError) -> [MadeConformance] {
    var found: [MadeConformance] = []
    for base in made.bases {
      for each in try newBases(of: base, runtime) + [base] {
        let isDeclared = runtime.declarations.conformances.contains {
          $0.all.contains { $0 === each }
        }
        if isDeclared || found.contains(where: { $0 === each }) { continue }
        if let holder = each.holderName, holder != runtime.options.name { continue }
        found.append(each)
      }
    }
    return found
  }

  private func conformingType(_ name: String) throws(LuaRaise) -> ConformingType {
    if let own = ownClass(name) {
      return ConformingType(name: own.made.qualifiedName, metadata: own.made.type)
    }
    let type = try named { () throws(NameError) in try runtime.resolver.type(named: name) }
    guard type.nominal.kind == .class else {
      throw .message(
        "\(type.name) is a \(type.nominal.kind.word): only classes can be given a conformance")
    }
    guard let metadata = runtime.resolver.program.runtimeType(type.node),
      TypeMetadata.kind(of: metadata) == .class
    else {
      throw .message(
        "\(type.name) cannot be given a conformance: it is generic, or not in this process")
    }
    return ConformingType(name: type.name, metadata: metadata)
  }

  /// `#3`: a class that the script has made.
  func ownClass(_ name: String) -> ScriptClass? {
    guard name.hasPrefix("#"), let number = Int(name.dropFirst()) else { return nil }
    return runtime.classes.known(number: number)
  }

  private func checkNew(
    _ type: ConformingType, _ owner: RunningProtocol
  ) throws(LuaRaise) {
    guard let address = UnsafeRawPointer(bitPattern: owner.descriptor) else { return }
    let descriptor = ProtocolDescriptor(address)
    let metadata = type.metadata
    let isDeclared = runtime.declarations.conformances.contains {
      $0.all.contains { $0.type == metadata && $0.descriptor == descriptor }
    }
    if isDeclared {
      throw .message("this patch makes \(type.name) conform to \(owner.name) already")
    }
    guard let table = descriptor.conformance(of: metadata) else { return }
    guard let made = MadeConformances.withTable(table), made.type == metadata else {
      throw .message(
        "\(type.name) conforms to \(owner.name) already: override its members instead")
    }
    if let holder = made.holderName, holder != runtime.options.name {
      throw .message(
        "the patch `\(holder)` makes \(type.name) conform to \(owner.name) already")
    }
  }

  private func associatedTypes(
    _ texts: [(name: String, type: String)]
  ) throws(LuaRaise) -> [String: any Any.Type] {
    var types: [String: any Any.Type] = [:]
    for (name, type) in texts {
      if let own = ownClass(type) {
        types[name] = own.made.type
      } else {
        types[name] = try named { () throws(NameError) in
          try WrittenType(resolver: runtime.resolver).type(type)
        }
      }
    }
    return types
  }
}

// MARK: - Functions

extension PreludeBindings {
  /// Declares a witness; Lua calls this as (conformance, requirement, function).
  func declareWitness(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let (number, place) = (Int(reader.read().integer), Int(reader.read().integer))
    guard runtime.declarations.conformances.indices.contains(number - 1) else {
      throw .message("there is no conformance \(number)")
    }
    let declared = runtime.declarations.conformances[number - 1]
    let witnesses = declared.all.flatMap(\.witnesses)
    guard witnesses.indices.contains(place) else {
      throw .message("there is no requirement \(place)")
    }
    try add(witnesses[place], to: declared, function: 2, &call)
  }

  private func add(
    _ witness: WitnessFunction, to declared: DeclaredConformance, function: Int,
    _ call: inout LuaCall
  ) throws(LuaRaise) {
    let plan = try planned { () throws(PlanError) in try witness.plan() }
    guard let reference = call.reference(toArgument: function) else {
      throw .message("not enough memory")
    }
    try addAnswer(of: witness, plan, reference, to: declared)
    let point = runtime.overrides.at(witness.function)
    point.form = .plain(plan)
    var options = runtime.sharedOptions
    if plan.canThrowAnything {
      // There is no original that could run instead.
      var own = runtime.options
      own.onError = .throw
      options = SharedOptions(own)
    }
    let override = Override(
      .plain(plan), .replacement, AdvicePiece(.override, nil, declaredAt: call.position()),
      at: point,
      reference: reference,
      classReference: plan.function.declaration.isStatic
        ? runtime.types.staticTypeObject(of: declared.made.type) : nil,
      in: state, options: options)
    try runtime.overrides.add(override, to: point)
  }

  private func addAnswer(
    of witness: WitnessFunction, _ plan: CallPlan, _ reference: Int32,
    to declared: DeclaredConformance
  ) throws(LuaRaise) {
    let answering: WitnessAnswer?
    do throws(InterceptionError) { answering = try witness.answering() } catch {
      throw .message(error.message)
    }
    guard let answering else { return }
    let name = ModuleNames.displayed(witness.declaration.qualifiedName)
    let answer: FallbackResult?
    do throws(ConversionError) {
      answer = try FallbackResult(plan, for: reference, in: state)
    } catch {
      throw .message("the fallback of \(name): \(error)")
    }
    guard let answer else {
      throw .message(
        "\(name) returns \(plan.result?.typeName ?? "a value"), and there is no neutral value to return if "
          + "the Lua function fails: provide one, fallback(f, value)")
    }
    let host = runtime.options.host
    declared.add(answer, to: answering) { host.error(for: $0) }
  }

  /// (object): what `hash(into:)` makes of it, as the compiler has it for `hashValue`.
  func hashValue(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let value = reader.read()
    guard value.tag == WAX_LUA_VALUE_OBJECT.rawValue, let pointer = value.pointer,
      let object = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue() as? any Hashable
    else { throw .message("a hash value is one of an object that is Hashable") }
    var hasher = Hasher()
    state.suspended { object.hash(into: &hasher) }
    call.writer.integer(hasher.finalize())
  }
}
