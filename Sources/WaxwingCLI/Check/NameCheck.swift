// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingDeclarations
import WaxwingPatches
import WaxwingReflection
import WaxwingToolKit

/// Compares the names in a patch with those of a program, and of the prelude.
struct NameCheck {
  let patch: PatchText
  let program: ProgramNames?
  /// The globals that a file of the patch assigns.
  private let assigned: Set<String>
  /// The functions that the patch overrides or makes.
  let defined: Set<String>
  /// The members of values that the patch sets.
  let setMembers: Set<String>
  private(set) var findings: [Finding] = []
  /// Whether there may be others.
  private let makesGlobals: Bool
  var file = ""

  /// - Parameter program: nil: nothing is known of it.
  init(_ patch: PatchText, _ program: ProgramNames?) {
    self.patch = patch
    self.program = program
    assigned = patch.files.reduce(into: []) { $0.formUnion($1.outline.assigned) }
    defined = patch.files.reduce(into: []) { $0.formUnion($1.outline.overrides.map(\.name)) }
    setMembers = patch.files.reduce(into: []) { names, file in
      names.formUnion(file.outline.members.filter { $0.assigned != nil }.map(\.name))
    }
    makesGlobals = patch.files.contains(where: \.outline.makesGlobals)
    checkProgram()
    for file in patch.files {
      self.file = file.name
      checkGlobals(file.outline)
      checkOwners(file.outline)
      for override in file.outline.overrides { check(override) }
      let silent = file.outline.overrides.filter(returnsNothing)
      for original in file.outline.originals { check(original, file.outline) }
      for member in file.outline.members { check(member, file.outline) }
      for use in file.outline.captured { check(use, file.outline) }
      for call in file.outline.ownerCalls { check(call) }
      for place in file.outline.protectedOriginals {
        add(
          .original, place,
          "the objects of the call may live on until Lua's collector runs: the function that is made here may keep "
            + "them",
          remedy: "write `pcall(original, self, …)`, after which they die as without the patch",
          as: .warning)
      }
      for override in silent { addMissingResult(override, file.outline) }
    }
  }

  mutating func add(
    _ rule: Finding.Rule, _ place: TextPlace, _ message: String, near names: [String] = [],
    remedy: String = "", as severity: Finding.Severity = .error
  ) {
    findings.append(
      Finding(
        severity: severity, rule: rule, path: patch.path(of: file), line: place.line,
        column: place.column, message: message,
        remedy: names.isEmpty ? remedy : Self.question(names)))
  }

  private static func question(_ names: [String]) -> String {
    let quoted = names.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return "did you mean \(quoted[0])?" }
    return "did you mean \(quoted.dropLast().joined(separator: ", ")) or \(last)?"
  }

  // MARK: The program

  private mutating func checkProgram() {
    guard let program, let manifest = patch.manifest, let source = patch.source else { return }
    file = source.main.name
    let start = TextPlace(line: 1, column: 1)
    if let wanted = manifest.program, wanted != program.name {
      add(
        .program, start, "the patch is for `\(wanted)`; this is `\(program.name)`",
        remedy: "name the right program, or change `program` in the manifest")
    }
    if !manifest.builds.isEmpty, !manifest.builds.contains(program.buildID ?? "") {
      add(
        .program, start,
        "the patch is for build \(manifest.builds.joined(separator: ", ")); this is "
          + (program.buildID.map { "build \($0)" } ?? "a build without an ID"),
        remedy: "check the patch against this build, then change `build` in the manifest")
    }
  }

  // MARK: Globals

  private mutating func checkGlobals(_ outline: PatchOutline) {
    for use in outline.reads {
      guard !PreludeNames.all.contains(use.name), !assigned.contains(use.name) else { continue }
      let message = "undefined variable `\(use.name)`"
      let near = NearestNames.nearest(
        to: use.name, in: PreludeNames.all.union(assigned).union(program?.globals ?? []))
      // Types and modules begin with a capital: nothing else is looked up in the program.
      if use.name.first?.isUppercase == true {
        guard let program, case .unknown = program.global(use.name) else { continue }
        add(
          .global, use.place, message + ": \(program.name) has no such type or module", near: near)
      } else {
        let isModule = program?.modules.contains(use.name) == true
        add(
          .global, use.place, message, near: isModule ? [] : near,
          remedy: isModule ? "write `module \"\(use.name)\"`" : "",
          as: makesGlobals ? .warning : .error)
      }
    }
  }

  // MARK: Types and modules

  private mutating func checkOwners(_ outline: PatchOutline) {
    guard let program else { return }
    for use in outline.owners where !use.isOptional {
      let name = use.owner.name
      let isModule = if case .module = use.owner { true } else { false }
      if case .unknown = meaning(use.owner, program),
        program.isElsewhere(name, isModule: isModule)
      {
        add(
          .type, use.place, "`\(name)` is not in \(program.name), and was not checked",
          remedy: "name its library with one more --program", as: .warning)
        continue
      }
      switch (use.owner, meaning(use.owner, program)) {
      case (.module, .unknown):
        add(
          .type, use.place, "\(program.name) has no module `\(name)`",
          near: program.near(module: name))
      case (_, .unknown):
        add(
          .type, use.place, "\(program.name) has no type `\(name)`", near: program.near(type: name))
      case (_, .ambiguous(let candidates)):
        add(
          .type, use.place, "`\(name)` is ambiguous",
          remedy: "write one of \(candidates.joined(separator: ", "))")
      default: break
      }
    }
  }

  private func meaning(
    _ owner: PatchOutline.Owner, _ program: ProgramNames
  ) -> ProgramNames.Meaning {
    switch owner {
    case .type(let name): program.type(name)
    case .module(let name): program.module(name)
    case .global(let name): program.global(name)
    case .member(let name): program.type(name)
    }
  }

  func scopes(_ target: PatchOutline.Target, _ program: ProgramNames)
    -> [ProgramNames.Scope]
  {
    guard case .scopes(let scopes) = meaning(target.owner, program) else { return [] }
    return scopes
  }

  // MARK: Overrides

  private mutating func check(_ override: PatchOutline.Override) {
    guard let program else { return }
    let scopes = scopes(override.target, program)
    guard !scopes.isEmpty else { return }
    checkParts(override, scopes, program)
    if override.isOfClosure { return checkClosure(override, scopes, program) }
    let kind = override.target.kind
    let name = Self.withoutSelfKind(override.name)
    for scope in scopes {
      let candidates = program.candidates(scope, kind, isStatic: override.target.isStatic)
      let found = NameResolver.meant(by: name, among: candidates)
      if found.isEmpty, scope != scopes.last { continue }
      switch found.count {
      case 0:
        if !override.isOptional { addMissing(override, name, scope, candidates, program) }
      case 1: check(override, found[0], program)
      default:
        let choices = found.map { MemberSpelling.shortest(of: $0, among: candidates) }.sorted()
        add(
          .selector, override.place, "`\(override.name)` is ambiguous",
          remedy: "write one of \(choices.map { "`\($0)`" }.joined(separator: ", "))")
      }
      return
    }
  }

  /// Where the program has a value of the name, `Method.get` is that and no table for getters.
  private mutating func checkParts(
    _ override: PatchOutline.Override, _ scopes: [ProgramNames.Scope], _ program: ProgramNames
  ) {
    let target = override.target
    let words = (target.isStatic ? ["static"] : []) + (target.accessor.map { [$0.rawValue] } ?? [])
    for case .type(let type) in scopes {
      let hidden = words.filter { program.hasStaticValue($0, of: type) }
      guard let word = hidden.first(where: target.open.contains) else { continue }
      let name = String(type.qualifiedName.split(separator: ".").last ?? "")
      let isBehindStatic = target.isStatic && word != "static"
      let owner =
        switch (isBehindStatic, hidden.contains("static")) {
        case (false, _): name
        case (true, false): name + ".static"
        case (true, true): "patching(\(name)).static"
        }
      add(
        .selector, override.place,
        "`\(name)\(isBehindStatic ? ".static" : "").\(word)` is a value of the program's, and no place for "
          + "overrides",
        remedy: "write `patching(\(owner)).\(word)`", as: .warning)
      return
    }
  }

  private static let selfKinds = ["mutating", "nonmutating", "borrowing", "consuming"]

  /// `scale(by:)` of `mutating scale(by:)`.
  static func withoutSelfKind(_ name: String) -> String {
    let words = name.split(separator: " ", maxSplits: 1)
    guard words.count == 2, selfKinds.contains(String(words[0])) else { return name }
    return String(words[1])
  }

  private mutating func addMissing(
    _ override: PatchOutline.Override, _ name: String, _ scope: ProgramNames.Scope,
    _ candidates: [PatchPoint], _ program: ProgramNames
  ) {
    let what = override.target.kindName
    let message = "`\(scope.name)` has no \(what) `\(override.name)` that can be overridden"
    if let other = elsewhere(override.target, name, scope, program) {
      return add(.selector, override.place, message, remedy: other)
    }
    if let what = program.storedKind(name, scope) {
      return add(
        .refused, override.place, message + ": it is \(MissingEntry.reason(ofStored: what))",
        remedy: MissingEntry.storedRemedy)
    }
    let selectors = Self.near(name, candidates)
    if !selectors.isEmpty {
      return add(.selector, override.place, message, near: selectors)
    }
    let owners = program.owners(
      of: name, override.target.kind, isStatic: override.target.isStatic, except: scope)
    if let accessors = coroutines(name, scope, program) {
      add(.refused, override.place, message + ": \(MissingEntry.reason(ofAccessors: accessors))")
    } else if let function = program.plainFunction(name, scope) {
      let isPatched = program.patchedModules.contains(function.module)
      add(
        .refused, override.place,
        message + ": it is there, but has no replacement entry: "
          + MissingEntry.reason(function, isInPatchedModule: isPatched),
        remedy: isPatched
          ? ""
          : "build its module with `-Xfrontend -enable-implicit-dynamic`, declare it `dynamic`, or let the daemon "
            + "rewrite code: `code-entries = allow` in its configuration",
        as: isPatched ? .error : .warning)
    } else if !owners.isEmpty {
      let list = owners.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
      add(.selector, override.place, message, remedy: "\(list) has one")
    } else {
      add(.selector, override.place, message, remedy: "see `waxwing points`")
    }
  }

  /// The accessors of a property or subscript that are no functions that return; nil: it has none, or has others.
  private func coroutines(
    _ name: String, _ scope: ProgramNames.Scope, _ program: ProgramNames
  ) -> [FunctionDeclaration]? {
    let found = Selector(text: name).matches(among: program.all(scope)).map(\.declaration)
    return found.isEmpty || found.contains { MemberKind($0.kind) != nil } ? nil : found
  }

  /// The full names of the functions that may be meant.
  private static func near(_ name: String, _ candidates: [PatchPoint]) -> [String] {
    let names = candidates.flatMap { [$0.declaration.selector, $0.declaration.baseName] }
    let near = NearestNames.nearest(to: name, in: Set(names))
    let selectors = near.flatMap { one in
      candidates.map(\.declaration).filter { [$0.selector, $0.baseName].contains(one) }
        .map(\.selector).sorted()
    }
    return Array(selectors.uniqued.prefix(3))
  }

  /// The text to write if the name is right and the place is wrong.
  private func elsewhere(
    _ target: PatchOutline.Target, _ name: String, _ scope: ProgramNames.Scope,
    _ program: ProgramNames
  ) -> String? {
    var others: [PatchOutline.Target] = []
    for isStatic in [false, true] {
      for accessor in [nil, .get, .set, .willSet, .didSet] as [PatchOutline.Accessor?] {
        var other = target
        (other.isStatic, other.accessor) = (isStatic, accessor)
        if other != target { others.append(other) }
      }
    }
    for other in others {
      let candidates = program.candidates(scope, other.kind, isStatic: other.isStatic)
      if case .module = scope, other.isStatic { continue }
      if NameResolver.meant(by: name, among: candidates).isEmpty { continue }
      let word = other.isStatic ? "static \(other.kindName)" : other.kindName
      if target.accessor == .set, other.accessor == .get, other.isStatic == target.isStatic {
        return "its source has no setter, or nothing calls it: only its getter can be overridden"
      }
      return "it is a \(word): override it in `\(other.words)`"
    }
    return nil
  }

  mutating func check(
    _ override: PatchOutline.Override, _ point: PatchPoint, _ program: ProgramNames
  ) {
    if let reason = program.refusals[point.symbol] {
      let name = point.declaration.pointName
      return add(.refused, override.place, "`\(name)` cannot be overridden: \(reason)")
    }
    if let note = program.notes[point.symbol] {
      add(
        .selector, override.place, "`\(point.declaration.pointName)`: \(note)",
        remedy: point.isAsync ? "" : "override the functions that write the property", as: .warning)
    }
    if let opaque = program.opaque[point.symbol] {
      add(
        .selector, override.place, "`\(point.declaration.pointName)` has opaque values: \(opaque)",
        as: .note)
    }
    checkResults(override, point.declaration)
    guard let function = override.function else { return }
    let isMember = point.declaration.context.memberOf != nil
    let passed = point.declaration.parameters.count
    let isInitializer = [.initializer, .allocatingInitializer].contains(point.declaration.kind)
    // What `after` gets of an initializer is decided by the call.
    if override.kind == .after, isInitializer { return }
    let most =
      passed + (isMember ? 1 : 0) + (override.kind == .after ? 1 : 0)
      + ([.willSet, .didSet].contains(override.target.accessor) ? 1 : 0)
    let taken = function.allParameters.count
    let name = "`\(point.declaration.selector)`"
    if override.isOfClosure, taken > most {
      add(
        .parameters, override.place,
        "the override takes \(counted(taken, "value")), and \(name) passes \(counted(most, "value")): a closure has no "
          + "`self`",
        remedy: Self.excess(function, most))
    } else if !isMember, function.implicitSelf != nil {
      add(
        .parameters, override.place, "a free function gets no `self`, and \(name) is one",
        remedy: "write a dot in place of the colon")
    } else if taken > most {
      add(
        .parameters, override.place,
        "the override takes \(Self.values(taken, isMember)), and \(name) passes "
          + Self.values(most, isMember),
        remedy: "leave out `\(function.allParameters[most].name)`, which would always be nil")
    } else if isMember, override.kind != .after, function.implicitSelf == nil,
      let first = function.parameters.first, taken == passed, passed > 0,
      !["self", "_", "this", "object", "class"].contains(first.name)
    {
      add(
        .parameters, override.place,
        "the first value is `self`, which is called `\(first.name)` here",
        remedy: "write it with a colon, or add `self` as first parameter", as: .warning)
    }
  }

  private static func values(_ count: Int, _ isMember: Bool) -> String {
    counted(count, "value") + (isMember ? " with `self`" : "")
  }
}
