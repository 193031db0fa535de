// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Glibc
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The Swift half of the prelude (`lua/waxwing/prelude.lua`): the functions in its `host` table.
struct PreludeBindings {
  /// The global variable that holds a script's environment.
  static let environment = "waxwing.environment"
  /// The one by which the prelude gets `fallback`.
  private static let fallback = "waxwing.fallback"
  /// The one by which it says where a copy came from.
  private static let connect = "waxwing.connect"
  /// The one by which it gets what advice needs.
  private static let advice = "waxwing.advice"
  /// The one by which it finds the functions below.
  private static let host = "waxwing.host"

  unowned let runtime: ScriptRuntime
  var state: LuaState { runtime.state }

  init(_ runtime: ScriptRuntime) {
    self.runtime = runtime
  }

  /// The functions that the prelude may call.
  private static let shared = HostFunctions(hostFunctions, failureCost: failureCost)

  /// Runs the prelude.
  func install() throws(LuaFailure) {
    let isFull = runtime.options.libraries == WAX_LIBRARY_LIBRARIES_FULL
    try state.entered { () throws(LuaFailure) in
      try runtime.withCoroutine { coroutine throws(LuaFailure) in
        guard state.defineFallback(as: Self.fallback), state.defineConnect(as: Self.connect),
          state.defineAdvice(as: Self.advice, runsInC: !wax_call_takes_long_way()),
          state.defineHost(Self.shared.table, as: Self.host)
        else { throw .noMemory }
        let reference = try load(Chunks.prelude, coroutine)
        coroutine.writer.table(count: 3)
        coroutine.writer.string("raise")
        coroutine.writer.reference(wax_lua_reference_raise(state.handle))
        coroutine.writer.string("null")
        coroutine.writer.null()
        coroutine.writer.string("await_key")
        coroutine.writer.reference(wax_lua_reference_wait_key(state.handle))
        coroutine.writer.boolean(isFull)
        coroutine.writer.function(Self.partLoader.pointer)
        if let selection = runtime.options.selection {
          selection.write(to: coroutine.writer, runtime.options.name)
        } else if runtime.options.purpose != .patch {
          coroutine.writer.nil()
        }
        switch runtime.options.purpose {
        case .patch: break
        case .watch: coroutine.writer.string("watch")
        case .shell: coroutine.writer.string("shell")
        }
        _ = try coroutine.call(reference)
        wax_lua_unreference(state.handle, reference)
        coroutine.trim()
      }
      // The prelude is not run again. A patch collects that once it has loaded.
      guard isFull || runtime.options.isShell else { return }
      wax_lua_collect(state.handle)
      try runtime.withCoroutine { coroutine throws(LuaFailure) in
        _ = try coroutine.call(try load(Chunks.shell, coroutine))
      }
    }
  }

  /// The chunks of the prelude.
  private enum Chunks {
    static let prelude = OwnChunk(LuaSources.prelude)
    /// The parts of the prelude that are loaded when they are asked for.
    static let parts = [
      "advice": OwnChunk(LuaSources.advice), "async": OwnChunk(LuaSources.async),
      "captured": OwnChunk(LuaSources.captured), "listing": OwnChunk(LuaSources.listing),
      "classes": OwnChunk(LuaSources.classes), "conform": OwnChunk(LuaSources.conform),
      "coroutines": OwnChunk(LuaSources.coroutines), "describe": OwnChunk(LuaSources.describe),
      "patching": OwnChunk(LuaSources.patching), "selection": OwnChunk(LuaSources.selection),
    ]
    static let shell = OwnChunk(LuaSources.shell)
  }

  private func load(_ chunk: OwnChunk, _ coroutine: LuaCoroutine) throws(LuaFailure) -> Int32 {
    try chunk.load(into: coroutine, name: "=" + WAX_LUA_PRELUDE)
  }

  /// Unchecked: written here, before anybody has it, and never again.
  nonisolated(unsafe) private static let partLoader = {
    let loader = HostFunctions.callback { (host, call) throws(LuaRaise) in
      try host.loadPart(&call)
    }
    loader.pointer.pointee.declares = true
    return loader
  }()

  /// (name): a part of the prelude, compiled.
  private func loadPart(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    guard let chunk = Chunks.parts[reader.displayString(reader.read()) ?? ""] else {
      throw .message("the prelude has no such part")
    }
    do throws(LuaFailure) {
      call.writer.reference(
        try runtime.withCoroutine { coroutine throws(LuaFailure) in try load(chunk, coroutine) })
    } catch {
      throw .message(error.message)
    }
  }
}

// MARK: - Names

extension PreludeBindings {
  func named<Result>(_ body: () throws(NameError) -> Result) throws(LuaRaise) -> Result {
    do throws(NameError) {
      return try body()
    } catch {
      throw .message(error.description)
    }
  }

  private enum ScopeKind: String, CaseIterable {
    case type, `static`, module
  }

  /// Where a name is looked for: a table `waxwing.Scope` of lua/waxwing/prelude.lua.
  func scope(_ reader: inout LuaReader) throws(LuaRaise) -> NameResolver.Scope {
    let kind: ScopeKind
    let name: String
    do throws(ScriptTableError) {
      let table = try ScriptTable(&reader)
      (kind, name) = (try table.word("kind"), try table.text("name"))
    } catch {
      throw .message("no scope: \(error)")
    }
    if kind == .module { return .module(name) }
    let type = try named { () throws(NameError) in try runtime.resolver.type(named: name) }
    return .type(type, isStatic: kind == .static)
  }

  /// Reads one of the words of an enum.
  func word<Word: RawRepresentable<String>>(_ reader: inout LuaReader) throws(LuaRaise) -> Word {
    let text = reader.displayString(reader.read()) ?? ""
    guard let word = Word(rawValue: text) else {
      throw .message("`\(text)` is no \(Word.self)")
    }
    return word
  }

  /// The libraries of Foundation that are loaded only on request.
  private static let optionalLibraries = ["FoundationNetworking", "FoundationXML"]

  func suggest(_ call: inout LuaCall) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    let known = (reader.displayString(reader.read()) ?? "").split(separator: " ").map(String.init)
    if runtime.isWholeProgram, name.first?.isUppercase == true,
      let library = Self.optionalLibraries.first(where: {
        !runtime.resolver.program.hasModule($0)
          && runtime.resolver.program.library($0, hasType: name)
      })
    {
      return call.writer.string("; it is in a library: import \"\(library)\"")
    }
    if runtime.resolver.program.hasOwnModule(name) {
      return call.writer.string("; write `module \"\(name)\"`")
    }
    var near = Suggestions.nearest(to: name, in: known)
    if near.isEmpty, name.first?.isUppercase == true { near = runtime.resolver.nearTypes(name) }
    call.writer.string(near.isEmpty ? "" : "; did you mean `\(near[0])`?")
  }
}

// MARK: - Overrides and originals

extension PreludeBindings {
  /// (scope, kind, name, function)
  func declareOverride(_ call: inout LuaCall) throws(LuaRaise) {
    let (scope, kind, written) = try member(&call)
    let (name, stated) = Self.statedKind(written)
    guard runtime.declarations.areAllowed || runtime.options.isShell else {
      throw .message("overrides are declared while the patch loads; `\(name)` comes too late")
    }
    let point = try named { () throws(NameError) in
      try runtime.resolver.patchPoint(name, kind, in: scope)
    }
    for entry in point.entries { try declare(at: entry, stated, &call) }
  }

  private func declare(
    at point: RunningFunction, _ stated: SelfKind?, _ call: inout LuaCall
  ) throws(LuaRaise) {
    let overrides = runtime.overrides.at(point)
    if let earlier = overrides.assigned, runtime.options.isShell {
      runtime.overrides.withdraw(earlier)
    } else if let earlier = overrides.assigned {
      throw .message(
        "`\(point.declaration.qualifiedName)` is overridden twice in this patch; the first is at "
          + "\(earlier.declaredAt.map { "\($0.source):\($0.line ?? 0)" } ?? "another place")")
    }
    let piece = AdvicePiece(.override, nil, declaredAt: call.position())
    try add(piece, .replacement, at: overrides, stated: stated, function: 3, &call)
  }

  /// (scope, kind, name): the override that was assigned ends; nothing if there is none.
  func withdrawOverride(_ call: inout LuaCall) throws(LuaRaise) {
    let (scope, kind, written) = try member(&call)
    let point = try named { () throws(NameError) in
      try runtime.resolver.patchPoint(Self.statedKind(written).name, kind, in: scope)
    }
    for entry in point.entries {
      if let assigned = runtime.overrides.at(entry).assigned {
        runtime.overrides.withdraw(assigned)
      }
    }
  }

  /// - Parameter function: The place of the Lua function in the call.
  func add(
    _ piece: AdvicePiece, _ role: Override.Role, at point: PointOverrides,
    stated: SelfKind? = nil, function: Int, _ call: inout LuaCall,
    for target: Override.Target? = nil
  ) throws(LuaRaise) {
    try checkEntered(point.function)
    let form = try planned { () throws(PlanError) in
      try runtime.plans.form(of: point, stated: stated)
    }
    guard let reference = call.reference(toArgument: function) else {
      throw .message("not enough memory")
    }
    if role == .replacement { checkParameters(point.function, form, function, call) }
    let override = Override(
      form, role, piece, at: point, reference: reference,
      classReference: classReference(point.function), for: target, in: state,
      options: runtime.sharedOptions)
    try runtime.overrides.add(override, to: point)
  }

  /// Refuses a function whose code would be rewritten if that is not allowed, or if an override of it would miss calls
  /// and the patch does not say that it may.
  private func checkEntered(_ function: RunningFunction) throws(LuaRaise) {
    guard let code = function.enteredCode else { return }
    let name = function.declaration.qualifiedName
    guard runtime.options.allowsCodeEntries else {
      throw .message(
        "`\(name)` cannot be overridden: \(MissingEntry.codeIsNotRewritten(function, in: runtime.resolver.program))"
      )
    }
    guard let missed = code.missed, !runtime.options.isPartial else { return }
    throw .message(
      "`\(name)` has no replacement entry, and \(missed); build \(function.declaration.module) with "
        + "`-Xfrontend -enable-implicit-dynamic`, or write `partial = true` in the manifest, `patch { … }`, if some calls are enough"
    )
  }

  /// Reports parameters that no call ever fills, which are a mistake: another signature was meant.
  /// - Parameters:
  ///   - piece: The piece of advice; nil for an override.
  ///   - results: The number of results before the arguments.
  func checkParameters(
    _ function: RunningFunction, _ form: Override.Form, _ index: Int, _ call: LuaCall,
    of piece: Override.Piece.Kind? = nil, results: Int = 0
  ) {
    let declaration = function.declaration
    let arguments =
      if case .plain(let plan) = form { plan.arguments.count } else { declaration.parameters.count }
    let count = arguments + results
    let hasSelf = declaration.contextType != nil
    guard declaration.kind != .accessor(.didSet),
      let found = call.parameterCount(ofArgument: index), found > count + (hasSelf ? 1 : 0)
    else { return }
    let own = hasSelf ? found - 1 : found
    let what = piece.map { "`\($0.rawValue)`" } ?? "override"
    let least = results == 0 ? "the function has \(count)" : "gets \(count)"
    let message =
      "the \(what) of \(function.displayedName) has \(own) parameter\(own == 1 ? "" : "s")"
      + "\(hasSelf ? " besides self" : ""), but \(least): the others are always nil"
    let position = call.position()
    runtime.options.host.log(
      LogLine(level: .warn, message: message, fields: [], position: position))
    let place = position.map { "\($0.source):\($0.line ?? 0): " } ?? ""
    runtime.superfluousParameters.append(place + message)
  }

  /// The name and the stated kind of `mutating scale(by:)`, for the rare member of which nothing
  /// else tells.
  static func statedKind(_ name: String) -> (name: String, stated: SelfKind?) {
    let words: [(String, SelfKind)] = [
      ("mutating ", .mutating), ("nonmutating ", .nonmutating), ("borrowing ", .nonmutating),
      ("consuming ", .consuming),
    ]
    for (word, kind) in words where name.hasPrefix(word) {
      return (String(name.dropFirst(word.count)), kind)
    }
    return (name, nil)
  }

  private func classReference(_ point: RunningFunction) -> Int32? {
    guard point.declaration.isStatic,
      let type = point.declaration.context.memberOf?.unbound
    else { return nil }
    return runtime.types.staticTypeObject(of: type)
  }

  func planned<Result>(_ body: () throws(PlanError) -> Result) throws(LuaRaise) -> Result {
    do throws(PlanError) {
      return try body()
    } catch {
      throw .message(error.description)
    }
  }

  /// (scope, kind, name): the original of an override of this script, or the function itself.
  func findOriginal(_ call: inout LuaCall) throws(LuaRaise) {
    let (scope, kind, name) = try member(&call)
    let stand = try runtime.standInOriginal(
      { () throws(LuaRaise) in try TypeObjectOriginals(scope, runtime).find(name, kind).points },
      name)
    if let stand { return call.writer.reference(stand) }
    call.writer.function(
      try OriginalCall.register(in: runtime) { [unowned runtime] () throws(LuaRaise) in
        try TypeObjectOriginals(scope, runtime).find(name, kind)
      })
  }

  /// (value …): the original of the override, or piece of advice, that is running.
  func callRunningOriginal(_ call: inout LuaCall) throws(LuaRaise) {
    guard let running = ActiveCall.innermost, let point = running.pointee.overrides(in: state)
    else {
      throw .message(
        "`original` is called outside an override; name the function: `self:ORIGname(…)` or "
          + "`Type.ORIGname(…)`")
    }
    let original = try callable(ofOriginalAt: point)
    running.pointee.offerOriginal(original)
    try original.run(&call)
  }

  private func callable(
    ofOriginalAt point: PointOverrides
  ) throws(LuaRaise) -> any LuaCallable {
    if let known = point.callable { return known }
    let made = try planned { () throws(PlanError) in
      try runtime.call(point.function, .original(point))
    }
    point.callable = made
    return made
  }

  func original(
    _ point: PointOverrides
  ) throws(LuaRaise) -> UnsafeMutablePointer<wax_lua_callback> {
    if let known = point.original { return known }
    let made = try planned { () throws(PlanError) in
      try runtime.callable(point.function, .original(point))
    }
    point.original = made
    return made
  }

  func member(
    _ call: inout LuaCall
  ) throws(LuaRaise) -> (NameResolver.Scope, MemberKind, String) {
    var reader = call.arguments
    let scope = try scope(&reader)
    let kind: MemberKind = try word(&reader)
    return (scope, kind, reader.displayString(reader.read()) ?? "")
  }
}

// MARK: - Odds and ends

extension PreludeBindings {
  /// Writes to the log; Lua calls this as (level, message, fields?).
  func log(_ call: inout LuaCall) {
    var reader = call.arguments
    let level = reader.displayString(reader.read()).flatMap(LogLine.Level.init(rawValue:))
    let message = reader.displayString(reader.read()) ?? ""
    let line = LogLine(
      level: level ?? .info, message: message, fields: fields(&reader), position: call.position())
    runtime.options.host.log(line)
  }

  /// (text): what a terminal may be sent of it, line breaks and tabs included.
  func makeVisible(_ call: inout LuaCall) {
    var reader = call.arguments
    call.writer.string(VisibleText.lines(reader.displayString(reader.read()) ?? ""))
  }

  /// The program's own text for one of its objects or values; nil for other values. A patch may
  /// override a `description`, and log its calls.
  private func programText(_ value: wax_lua_value) -> LogLine.Value? {
    let describe: () -> String
    if value.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = value.pointer {
      describe = { ValueText.object(object, more: []) }
    } else if value.tag == WAX_LUA_VALUE_PROXY.rawValue {
      let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
      guard proxy.kind == WAX_PROXY_KIND_VALUE.rawValue, let box = proxy.pointer,
        let type = proxy.type
      else { return nil }
      describe = { ValueText.value(TypeMetadata.type(at: type), at: box) }
    } else {
      return nil
    }
    return .text(runtime.state.suspended { Interceptor.withoutPatches(describe) })
  }

  /// The largest number of fields of one event.
  private static let mostFields = 100

  private func fields(
    _ reader: inout LuaReader
  ) -> [(name: String, value: LogLine.Value)] {
    let table = reader.read()
    let hasKeys = table.tag == WAX_LUA_VALUE_TABLE.rawValue
    guard hasKeys || table.tag == WAX_LUA_VALUE_ARRAY.rawValue else { return [] }
    var fields: [(name: String, value: LogLine.Value)] = []
    for index in 0..<min(Int(table.count), Self.mostFields) {
      let name = hasKeys ? reader.keyName(reader.read()) : "\(index + 1)"
      let value = reader.peeked
      fields.append((name, programText(value) ?? ValueDescription.logged(value, reader)))
      reader.skip()
    }
    fields.sort { $0.name < $1.name }
    if table.count > Self.mostFields {
      fields.append(("…", .text("\(Int(table.count) - Self.mostFields) more")))
    }
    return fields
  }

  /// (whether the wall clock's) -> seconds: since 1970, or since some moment; that clock never jumps.
  func readClock(_ call: inout LuaCall) {
    var reader = call.arguments
    let isWall = reader.read().isTrue
    var time = timespec()
    clock_gettime(isWall ? CLOCK_REALTIME : CLOCK_MONOTONIC, &time)
    call.writer.number(Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
  }
}
