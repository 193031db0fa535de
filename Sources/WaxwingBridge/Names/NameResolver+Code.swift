// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Functions that have no replacement entry, and are overridden by rewriting the beginning of their code.
extension NameResolver {
  /// The function of the program's own code that a name means in a scope; nil: there is none.
  /// - Throws: `NameError` with the reason why it cannot be overridden in this way either.
  func enteredFunction(
    _ name: String, _ kind: MemberKind, in scope: Scope
  ) throws(NameError) -> RunningFunction? {
    if isEngine(scope) { return nil }
    // A method may have the name of a stored property.
    let isOther = noFunction(name, scope) != nil
    let near: [RunningFunction] =
      switch scope {
      case .type(let type, _): program.members(of: type)
      case .module(let module):
        Selector(text: name).baseNames.flatMap { program.functions(named: $0, inModule: module) }
      }
    let own = near.filter {
      $0.entry == nil && !program.isInSystem($0.address)
        && (!isOther || $0.declaration.kind == .function)
    }
    let all = candidates(kind, in: scope, among: own)
    let found = Self.meant(by: name, among: all)
    if found.count > 1 {
      throw .ambiguous(name, found.map { MemberSpelling.shortest(of: $0, among: all) })
    }
    guard let function = found.first else { return nil }
    do throws(PlanError) {
      return try CodeOfFunction.entered(function, in: program)
    } catch {
      if program.hasImplicitDynamic(function.declaration.module) { return nil }
      throw NameError(
        "`\(function.declaration.qualifiedName)` cannot be overridden: it has no replacement entry, and \(error.reason)"
      )
    }
  }
}

/// What the program's code tells of a function that is to be overridden by rewriting its code.
package enum CodeOfFunction {
  /// How the note on a function begins of which an override may miss calls: its patch has to say `partial = true`.
  package static let mayMissCalls = "an override may miss calls of it"

  /// The function as it is overridden by rewriting its code.
  /// - Throws: `PlanError` with the reason why it cannot be.
  static func entered(
    _ function: RunningFunction, in program: RunningProgram
  ) throws(PlanError) -> RunningFunction {
    if EngineModules.mayCall(function.declaration.module) {
      throw PlanError(function, "the engine may call it itself")
    }
    if function.isRemoved { throw PlanError(function, MissingInitializers.removed) }
    guard let address = function.codeAddress,
      let size = program.sizeOfOnlyFunction(at: address)
    else {
      throw PlanError(
        function, "its code is that of other functions, too, or nothing tells its size")
    }
    let uses = Uses(of: function, address, in: program)
    try checkConvention(function, uses, in: program)
    return function.entered(
      at: EnteredCode(
        address: address, size: size,
        missed: try missed(function, uses, in: program),
        isCalledByOwn: isCalledByOwn(function, uses, in: program)))
  }

  /// What leads to the code of a function.
  private struct Uses {
    let address: UInt
    /// The places in the code that refer to it, or to the async function pointer by which its values are called.
    let places: [UInt]
    /// Those of them that call it.
    let calls: [UInt]
    /// Whether values of it are made, by its address or that of its pointer.
    let isValue: Bool

    init(of function: RunningFunction, _ address: UInt, in program: RunningProgram) {
      let (uses, pointed) = LuaState.withoutCharge {
        (
          program.uses(ofCodeAt: address),
          function.isAsync ? program.uses(ofCodeAt: function.address) : CodeUses()
        )
      }
      self.address = address
      places =
        uses.places.filter(CallReader.isCodeReference)
        + pointed.places.filter(CallReader.isReference)
      // A call may also read where the pointer leads to.
      calls = places.filter { !CallReader.isLoad(at: $0) }
      isValue = uses.isInData || pointed.isInData || calls.count < places.count
    }
  }

  /// Refuses a function of which the optimiser has seen all callers. It may have taken away arguments that are not used
  /// or always the same, and results that nobody uses: nothing is then where the function's type says.
  /// It leaves one as it is whose address is taken, as that in a class's table of methods is.
  private static func checkConvention(
    _ function: RunningFunction, _ uses: Uses, in program: RunningProgram
  ) throws(PlanError) {
    if !program.isPrivate(uses.address) || function.isUnoptimized || uses.isValue { return }
    throw PlanError(
      function,
      "it is private, and the optimiser may have changed how it takes arguments and returns results: it knows all callers"
    )
  }

  /// Whether the function is the getter or setter of a stored property or variable.
  static func isStored(
    _ declaration: FunctionDeclaration, in program: RunningProgram
  ) -> Bool {
    guard [.getter, .setter].contains(declaration.kind) else { return false }
    let resolver = NameResolver(program)
    guard let type = declaration.context.memberOf?.unbound else {
      return resolver.storedNames(.module(declaration.module)).contains(declaration.baseName)
    }
    let known = program.types[type.qualifiedName]?.first { $0.nominal == type }
    return known.map {
      resolver.storedNames(.type($0, isStatic: declaration.isStatic)).contains(declaration.baseName)
    } ?? false
  }

  /// A warning of calls that do not see an override of the function. The compiler knows the code of functions of the same
  /// module: it makes copies for certain callers, puts the code into the callers, or takes what a call returns for
  /// known.
  /// - Throws: `PlanError` if nothing calls the function.
  private static func missed(
    _ function: RunningFunction, _ uses: Uses, in program: RunningProgram
  ) throws(PlanError) -> String? {
    let users = uses.places
    guard !users.isEmpty || uses.isValue || program.isExported(uses.address) else {
      throw PlanError(
        function,
        "nothing in the program calls its code: the compiler has put copies of it into its callers, or nothing uses it"
      )
    }
    let module = function.declaration.module
    let isUnoptimized = function.isUnoptimized
    let own = isUnoptimized ? [] : users.filter { isOwn($0, module, program) }
    let named = program.ownSymbols(prefix: function.symbol)
    // Each library that a static library, or what is emitted into clients, is linked into has it.
    let others = named.count { $0 == function.symbol } - 1
    let copies = isUnoptimized ? [] : named.filter { isCopy($0, of: function.symbol) }
    let copyCount = max(others, 0) + copies.count
    let isDynamic = program.hasImplicitDynamic(module)
    let parts = [
      isDynamic ? "callers in other modules (it is `@inlinable`, or made by the compiler)" : nil,
      own.isEmpty
        ? nil
        : "\(own.count == 1 ? "code" : "\(own.count) places in the code") of \(module) itself",
      copyCount == 0
        ? nil
        : "callers of \(copyCount == 1 ? "a copy" : "\(copyCount) copies") of it\(list(copies))",
    ].compactMap(\.self)
    if parts.isEmpty { return nil }
    return "\(mayMissCalls) by \(parts.joined(separator: " and by "))"
  }

  /// The symbols of copies, for a message: how these take their arguments is not known, and no override sees them.
  private static func list(_ copies: [String]) -> String {
    let most = 3
    if copies.isEmpty { return "" }
    let more = copies.count > most ? ", …" : ""
    return " (\(copies.prefix(most).map { "`\($0)`" }.joined(separator: ", "))\(more))"
  }

  /// Whether a place in the code belongs to a module.
  private static func isOwn(_ place: UInt, _ module: String, _ program: RunningProgram) -> Bool {
    program.symbols(around: place).contains { Self.module(of: $0) ?? module == module }
  }

  /// Whether code of the function's own module calls it, which may have been compiled together with it.
  private static func isCalledByOwn(
    _ function: RunningFunction, _ uses: Uses, in program: RunningProgram
  ) -> Bool {
    !function.isUnoptimized
      && uses.calls.contains { isOwn($0, function.declaration.module, program) }
  }

  /// Whether a symbol that begins with a function's is that of a copy of it: for certain types or arguments, or one that
  /// several equal functions share. The types stand between the two: `…Si_Tg5`.
  private static func isCopy(_ name: String, of symbol: String) -> Bool {
    let ending = name.dropFirst(symbol.count)
    guard let last = ending.lastIndex(of: "T"),
      let kind = ending[last...].dropFirst().first, "fgGm".contains(kind)
    else { return false }
    // Else it is one of what stands in the function: a closure, a local function.
    let isOfAnother = ending.indices.contains {
      ending[$0] == "_" && isOther(name[...$0])
    }
    return !isOfAnother
  }

  /// Whether a part of a symbol, which ends in `_`, is the symbol of what stands in a function, or the name of a local one.
  private static func isOther(_ part: Substring) -> Bool {
    let rest = part.dropLast().reversed().drop { $0.isWholeNumber }
    return rest.first == "L" || FunctionDeclaration(symbol: String(part)) != nil
  }

  private static func module(of symbol: String) -> String? { SymbolModule.ofCode(symbol) }
}
