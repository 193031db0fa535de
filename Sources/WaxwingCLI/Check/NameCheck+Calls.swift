// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingDeclarations
import WaxwingPatches
import WaxwingReflection
import WaxwingToolKit

/// Calls of originals, and members of values.
extension NameCheck {
  mutating func check(_ original: PatchOutline.Original, _ outline: PatchOutline) {
    guard let program else { return }
    let scopes = scopes(original.target, program)
    guard let scope = scopes.first, scopes.count == 1 else { return }
    let override = original.override.map { outline.overrides[$0] }
    guard let name = original.name else {
      if let override, let point = point(override, scope, program) {
        checkArguments(of: original, point.declaration, "original")
      }
      return
    }
    let isStatic = original.target.isStatic
    let kinds: [MemberKind] = [.method, .getter, .setter, .willSet, .didSet]
    let candidates = kinds.map { program.candidates(scope, $0, isStatic: isStatic) }
    let found = candidates.flatMap { NameResolver.meant(by: name, among: $0) }
    guard found.isEmpty else {
      // In an override of a function of that name it is this one.
      let own = override.flatMap { point($0, scope, program) }
      let meant =
        own.flatMap { found.contains($0) ? $0 : nil } ?? (found.count == 1 ? found[0] : nil)
      if let meant { checkArguments(of: original, meant.declaration, "ORIG\(name)") }
      return
    }
    // A superclass or a protocol may have it, which a file does not tell.
    let isInherited = kinds.contains { kind in
      !program.owners(of: name, kind, isStatic: isStatic, except: scope).isEmpty
    }
    guard !original.isOptional, !isInherited, program.plainFunction(name, scope) == nil
    else { return }
    let names = candidates.joined().flatMap(ProgramNames.luaNames)
    let own = override.map { [$0.name] } ?? []
    let near = NearestNames.nearest(to: name, in: Set(names + own.filter(LuaName.isValid)))
    add(
      .original, original.place,
      "`\(scope.name)` has no function `\(name)` that `ORIG\(name)` could call",
      near: near.map { "ORIG\($0)" }, remedy: "`original(…)` calls what the override replaces")
  }

  /// Reports a member that is probably misspelled: one that is nearly the name of a member of the
  /// type, and is no member of another type or of a library. Other unknown members pass, because a
  /// superclass, a protocol or a library may have members that no file tells.
  mutating func check(_ use: PatchOutline.MemberUse, _ outline: PatchOutline) {
    guard let program, !use.isOptional,
      let node = ValueTypes(outline, program, point).type(of: use.value), !checkPlain(use, node),
      let type = owner(of: use, node, program)
    else { return }
    // What a type of the program's that conforms is in Lua is not known: a string, perhaps.
    if type.kind == .protocol, PreludeNames.fields["string"]?.contains(use.name) == true { return }
    checkPart(use, type, program)
    if let arguments = use.arguments { checkCall(use, arguments, type, program) }
    if let value = use.assigned { checkAssigned(value, use, type, program) }
    guard !defined.contains(use.name), let members = program.members(of: type),
      !members.contains(use.name), !program.hasMember(use.name)
    else { return }
    let near = NearestNames.nearest(to: use.name, in: members).filter {
      abs($0.count - use.name.count) <= 1
    }
    guard !near.isEmpty else { return checkAbsent(use, type, program) }
    guard program.plainFunction(use.name, .type(type)) == nil else { return }
    add(
      .member, use.place, "`\(type.qualifiedName)` has no member `\(use.name)`", near: near,
      as: Libraries.mention(use.name) ? .warning : .error)
  }

  /// Checks a call of a static member or a free function that the compiler has left out, because no
  /// code of the program calls it. Members that a superclass, a protocol or a library may have are
  /// not checked.
  mutating func check(_ call: PatchOutline.OwnerCall) {
    guard let program, !call.isOptional, let scope = scopes(call.target, program).first,
      !defined.contains(call.name), !setMembers.contains(call.name),
      !PreludeNames.ofTypes.contains(call.name), !program.hasMember(call.name),
      !program.hasType(call.name, in: scope), !program.mayHaveFunction(call.name),
      !patch.files.contains(where: \.outline.addsMethods)
    else { return }
    let owner =
      if case .module = scope { "module `\(scope.name)` has no function" } else {
        "`\(scope.name)` has no static member"
      }
    addLeftOut("\(owner) `\(call.name)`", call.place, program, isFree: scope.isModule)
  }

  /// - Parameter isFree: It is a function of no type.
  private mutating func addLeftOut(
    _ what: String, _ place: TextPlace, _ program: ProgramNames, isFree: Bool = false
  ) {
    add(
      .member, place,
      "\(what) in this program: its source has none, or nothing calls it, and the compiler left it out",
      remedy: program.isComplete
        ? "to keep it, build its module with `-enable-testing`, or declare it `@_optimize(none)`, or `public`"
          + (isFree ? "" : " in a `public` type")
        : "if a library has it, name that with one more --program",
      as: program.isComplete ? .error : .warning)
  }

  /// A call of a method that the compiler has left out, as nothing in the program calls it.
  mutating func checkAbsent(
    _ use: PatchOutline.MemberUse, _ type: NominalType, _ program: ProgramNames
  ) {
    guard use.arguments != nil, !setMembers.contains(use.name),
      !patch.files.contains(where: \.outline.addsMethods), !program.mayHaveFunction(use.name)
    else { return }
    addLeftOut("`\(type.qualifiedName)` has no method `\(use.name)`", use.place, program)
  }

  /// `self.super` where the class has a member of that name, `value.case` where the enum has one.
  mutating func checkPart(
    _ use: PatchOutline.MemberUse, _ type: NominalType, _ program: ProgramNames
  ) {
    let isPart =
      use.name == "super" && type.kind == .class || use.name == "case" && type.kind == .enum
    guard isPart, program.hasMember(use.name, of: type) else { return }
    add(
      .member, use.place, "`\(use.name)` is a member of `\(type.qualifiedName)` here",
      remedy: "`patching(value, \"\(use.name)\")` gives Waxwing's", as: .warning)
  }

  /// The type of the program's that the value is of whose member is used.
  func owner(
    of use: PatchOutline.MemberUse, _ node: TypeNode, _ program: ProgramNames
  ) -> NominalType? {
    guard let type = node.nominal?.unbound else { return nil }
    if case .receiver = use.value { return type }
    return program.hasMembers(type) ? type : nil
  }

  /// A call of a method that the name alone tells, whatever its arguments are.
  mutating func checkCall(
    _ use: PatchOutline.MemberUse, _ arguments: [LuaExpression], _ type: NominalType,
    _ program: ProgramNames
  ) {
    guard let method = program.method(use.name, of: type), let functions = program.functions,
      !defined.contains(use.name) || program.hasMember(use.name)
    else { return }
    let named = functions.named(method.baseName).filter {
      !$0.kind.isAccessor && ProgramNames.Scope($0) == .type(type)
    }
    guard named.count == 1 else { return }
    let given = arguments.last?.hasManyValues == true ? nil : arguments.count
    checkArguments(arguments, given, of: method, use.name, use.place)
  }

  mutating func checkAssigned(
    _ value: LuaExpression, _ use: PatchOutline.MemberUse, _ type: NominalType,
    _ program: ProgramNames
  ) {
    if program.isConstant(property: use.name, of: type) {
      return add(
        .member, use.place, "`\(type.qualifiedName).\(use.name)` is a `let`: it cannot be set")
    }
    guard let property = program.type(ofProperty: use.name, of: type) else { return }
    checkConstant(value, property, "the property `\(use.name)`")
  }

  /// The function that an override is of, if that is certain.
  func point(
    _ override: PatchOutline.Override, _ scope: ProgramNames.Scope, _ program: ProgramNames
  ) -> PatchPoint? {
    if override.isOfClosure {
      let found = meant(
        override, program.closures(scope, isStatic: override.target.isStatic) ?? [], scope, program)
      return found.count == 1 ? found[0] : nil
    }
    let found = NameResolver.meant(
      by: Self.withoutSelfKind(override.name),
      among: program.candidates(
        scope, override.target.kind, isStatic: override.target.isStatic))
    return found.count == 1 ? found[0] : nil
  }

  mutating func checkArguments(
    of original: PatchOutline.Original, _ function: FunctionDeclaration, _ title: String
  ) {
    let isMember = function.context.memberOf != nil
    // Whether a global is a type or a module is not known where `self` is counted.
    if case .global = original.target.owner, !isMember { return }
    if let given = original.argumentCount, given < 0 {
      return add(
        .parameters, original.place, "`\(title)` is called without `self`",
        remedy: "pass `self` first, then the arguments")
    }
    checkArguments(original.arguments, original.argumentCount, of: function, title, original.place)
  }

  /// - Parameter given: How many there are; nil: that cannot be told.
  mutating func checkArguments(
    _ arguments: [LuaExpression], _ given: Int?, of function: FunctionDeclaration, _ title: String,
    _ place: TextPlace
  ) {
    // A table may be the arguments by their labels.
    if arguments.count == 1, case .table = arguments[0] { return }
    let parameters = function.parameters
    let mayBeMore = parameters.contains(where: \.isVariadic)
    if let given, given > parameters.count, !mayBeMore {
      return add(
        .parameters, place,
        "`\(title)` is called with \(counted(given, "argument")), and "
          + "`\(function.selector)` takes \(parameters.count)")
    }
    if case .closure = function.kind {
      guard let given, given < parameters.count else { return }
      let needed = parameters.count { $0.writtenType.optionalPayload == nil }
      guard given < needed else { return }
      return add(
        .parameters, place,
        "`\(title)` is called with \(counted(given, "argument")), and "
          + "`\(function.selector)` needs \(needed)")
    }
    guard let functions = program?.functions, !mayBeMore else { return }
    let defaults = functions.defaults(ofNamed: function.baseName)
      .union(function.locationParameters)
    let needed = parameters.indices.filter { index in
      parameters[index].writtenType.optionalPayload == nil && !defaults.contains(index)
    }
    if let given, given < needed.count {
      return add(
        .parameters, place,
        "`\(title)` is called with \(counted(given, "argument")), and "
          + "`\(function.selector)` needs \(needed.count)")
    }
    // Which ones are left out is known if all are there.
    guard given == parameters.count else { return }
    for (index, parameter) in parameters.enumerated() where !defaults.contains(index) {
      let isFunction = ConstantKind(arguments[index]) == .function
      checkConstant(
        arguments[index], isFunction ? parameter.type : parameter.writtenType,
        "argument \(index + 1) of `\(function.selector)`")
    }
  }
}
