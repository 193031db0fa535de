// SPDX-License-Identifier: MIT

import FoundationEssentials
internal import WaxwingBridge
import WaxwingControl
import WaxwingDeclarations
import WaxwingReflection
import WaxwingToolKit

/// The names of a program that a patch can use, from its file or from its daemon.
struct ProgramNames {
  /// The scope in which a name is searched.
  enum Scope: Hashable {
    case type(NominalType)
    case module(String)
  }

  /// The meaning of a name for a type or module.
  enum Meaning {
    case scopes([Scope])
    /// A library's, of which nothing is known here.
    case foreign
    /// The name means several things; the names to write for each.
    case ambiguous([String])
    case unknown
  }

  let name: String
  let buildID: String?
  /// Whether all types are known, and not only those that have patch points.
  let knowsTypes: Bool
  /// Why a point cannot be overridden, by its symbol.
  let refusals: [String: String]
  /// The opaque parts of each point's signature with the reason, by the point's symbol. For files,
  /// this covers only `self`.
  let opaque: [String: String]
  /// Further notes for overriding a point, by its symbol.
  let notes: [String: String]
  private let points: [Scope: [PatchPoint]]
  /// Closures by the scopes of the functions that they stand in; nil: nothing tells which there are.
  private let closures: [Scope: [PatchPoint]]?
  private let debugInformation: ClosureDebugInformation
  private let types: [String: [NominalType]]
  let modules: Set<String>
  /// The modules whose functions have replacement entries.
  let patchedModules: Set<String>
  /// Whether all of the program's own libraries are known, too.
  let isComplete: Bool
  /// The images of the program; empty if a daemon's file cannot be read.
  private let images: [ElfImage]
  /// Static values that are named like parts of type objects. None if no file was read.
  private let staticValues: [StaticValueOwners]
  /// Stored properties and cases; nil: no file tells them.
  private let fields: [NominalType: [String: FieldCatalog.Record]]?
  /// The program's other functions; nil if no file was read, so that they are not known.
  let functions: ProgramFunctions?
  /// The names in `members`, and those of all functions of any type.
  private let allMembers: Set<String>

  /// The contents of a program's files.
  private struct Contents {
    var images: [ElfImage] = []
    var points: [PatchPoint] = []
    var closures: [PatchPoint]?
    var types: [NominalType] = []
    var refusals: [String: String] = [:]
    var notes: [String: String] = [:]
    var opaque: [String: String] = [:]
    var fields: [NominalType: [String: FieldCatalog.Record]] = [:]

    mutating func add(_ path: String) throws(ElfError) {
      let image = try ElfImage(path: path)
      if let catalog = try catalog(of: image) { add(catalog, image) }
      let descriptors = try TypeDescriptorCatalog(image: image)
      types += descriptors.descriptors.keys.filter { !EngineModules.contains($0.module ?? "") }
      fields.merge(ProgramNames.fields(of: image, descriptors)) {
        $0.merging($1) { first, _ in first }
      }
      closures = (closures ?? []) + (try ProgramClosure.all(in: image)).map(PatchPoint.init)
      images.append(image)
    }

    /// The patch points of an image; nil: it has none. Patches may use its types, override its closures, and functions
    /// of its libraries.
    private func catalog(of image: ElfImage) throws(ElfError) -> PatchPointCatalog? {
      do throws(ElfError) {
        return try PatchPointCatalog.ifAny(in: image)
      } catch {
        guard
          !images.isEmpty && error.isLackOfPatchPoints
            || PointsListing.mayBeInLibraries(error, image)
        else { throw error }
        return nil
      }
    }

    private mutating func add(_ catalog: PatchPointCatalog, _ image: ElfImage) {
      var missing: Set<String> = []
      for point in PointDescriber.points(of: catalog, in: image) {
        if let reason = point.refusal { refusals[point.symbol] = reason }
        notes[point.symbol] = point.note
        opaque[point.symbol] = point.opaque
        if point.isMissing { missing.insert(point.symbol) }
      }
      points += catalog.points.filter { !missing.contains($0.symbol) }
    }

    mutating func add(closures found: [ListedPoint]?) {
      guard let found else { return }
      closures = found.compactMap { closure in
        refusals[closure.symbol] = closure.refusal
        opaque[closure.symbol] = closure.opaque
        notes[closure.symbol] = closure.note
        return FunctionDeclaration(symbol: closure.symbol).map {
          PatchPoint(closure: closure.symbol, $0)
        }
      }
    }
  }

  /// The names in an executable and its libraries, of which nothing is run.
  /// - Precondition: There is a file; the first is the program.
  init(files paths: [String]) throws(CommandError) {
    var contents = Contents()
    for path in paths {
      do throws(ElfError) {
        try contents.add(path)
      } catch {
        throw CommandError(path, error)
      }
    }
    let given = Set(paths.map { String($0.split(separator: "/").last ?? "") })
    let needed = contents.images.flatMap(\.neededLibraries).filter { !given.contains($0) }
    self.init(
      name: String(paths[0].split(separator: "/").last ?? ""),
      buildID: contents.images[0].buildID, contents,
      isComplete: needed.allSatisfy(Libraries.isSystem))
  }

  private static func fields(
    of image: ElfImage, _ types: TypeDescriptorCatalog
  ) -> [NominalType: [String: FieldCatalog.Record]] {
    FieldCatalog(image: image, types: types).fields.mapValues { fields in
      Dictionary(fields.records.map { ($0.name, $0) }) { first, _ in first }
    }
  }

  /// The contents of a process's files, the program's first; nil if this user may not read them.
  private static func contents(ofProcess pid: Int32) -> Contents? {
    var contents = Contents()
    let program = "/proc/\(pid)/exe"
    do throws(ElfError) { try contents.add(program) } catch { return nil }
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: program)
    let libraries = LoadedFiles.images(ofProcess: "\(pid)").map(\.path).sorted()
    for path in libraries where path != own && !Libraries.isSystem(path) {
      // The process may see other files than this one by that name.
      try? contents.add("/proc/\(pid)/root" + path)
    }
    return contents
  }

  /// Reads a daemon's patch points, and the files that it runs.
  /// - Parameter withClosures: The daemon is asked which closures can be overridden, too.
  init(of daemon: borrowing Daemon, withClosures: Bool) throws(CommandError) {
    let listing = try PointsListing(of: daemon, matching: nil)
    let found = Self.contents(ofProcess: daemon.info.pid)
    var contents = found ?? Contents()
    let known = Set(contents.points.map(\.symbol))
    contents.points += listing.points.compactMap { point in
      guard !known.contains(point.symbol) else { return nil }
      return FunctionDeclaration(symbol: point.symbol).map {
        PatchPoint(
          symbol: point.symbol, entry: 0, implementation: nil, isAsync: point.isAsync,
          declaration: $0)
      }
    }
    for point in listing.points {
      if let reason = point.refusal { contents.refusals[point.symbol] = reason }
      if let note = point.note { contents.notes[point.symbol] = note }
      contents.opaque[point.symbol] = point.opaque
    }
    if withClosures { contents.add(closures: Self.closures(of: daemon)) }
    self.init(
      name: daemon.info.program, buildID: daemon.info.buildID, contents, isComplete: found != nil)
  }

  /// The daemon's closures; nil: it does not know closures.
  private static func closures(of daemon: borrowing Daemon) -> [ListedPoint]? {
    do throws(CommandError) {
      return try PointsListing(of: daemon, matching: nil, kind: .closures).points
    } catch {
      return nil
    }
  }

  private init(name: String, buildID: String?, _ contents: Contents, isComplete: Bool) {
    let (points, images) = (contents.points, contents.images)
    self.name = name
    self.buildID = buildID
    self.isComplete = isComplete
    (refusals, notes, opaque) = (contents.refusals, contents.notes, contents.opaque)
    self.images = images
    debugInformation = ClosureDebugInformation(images)
    fields = images.isEmpty ? nil : contents.fields
    staticValues = images.map { StaticValueOwners(of: PointDescriber.parts, in: $0) }
    functions = images.isEmpty ? nil : ProgramFunctions(images)
    allMembers = Set(points.flatMap(Self.luaNames)).union(contents.fields.values.flatMap(\.keys))
    knowsTypes = !images.isEmpty
    self.points = Dictionary(grouping: points) { Scope($0.declaration) }
    closures = contents.closures.map { closures in
      Dictionary(grouping: closures) { Scope($0.declaration.function) }
    }
    let owners = self.points.keys.compactMap { scope in
      if case .type(let type) = scope { type } else { nil }
    }
    let all = Set(owners + contents.types.map(\.unbound))
    types = Dictionary(grouping: all, by: \.qualifiedName)
    patchedModules = Set(points.map(\.declaration.module))
    modules = patchedModules.union(contents.types.compactMap(\.module))
      .union(contents.closures?.map(\.declaration.function.module) ?? [])
  }

  // MARK: Types and modules

  /// The meaning of `class "…"`.
  func type(_ text: String) -> Meaning {
    if text.hasPrefix("$s") {
      let type = TypeNode(mangled: String(text.dropFirst(2)))?.nominal?.unbound
      guard let type, types[type.qualifiedName]?.contains(type) == true else { return unknownType }
      return .scopes([.type(type)])
    }
    let names = types[text] != nil ? [text] : types.keys.filter { $0.hasSuffix("." + text) }
    if names.count > 1 { return .ambiguous(names.sorted().map { "class \"\($0)\"" }) }
    if let found = names.first.flatMap({ types[$0] }) { return .scopes(found.map(Scope.type)) }
    return Libraries.has(type: text) ? .foreign : unknownType
  }

  private var unknownType: Meaning { knowsTypes ? .unknown : .foreign }

  /// The meaning of `module "…"`.
  func module(_ text: String) -> Meaning {
    if modules.contains(text) { return .scopes([.module(text)]) }
    return knowsTypes && !Libraries.has(module: text) ? .unknown : .foreign
  }

  /// The meaning of a global that the patch does not assign.
  func global(_ name: String) -> Meaning {
    if case .unknown = module(name) { return type(name) }
    return module(name)
  }

  /// Whether a name refers to a module that none of the files has.
  func isElsewhere(_ owner: String, isModule: Bool) -> Bool {
    guard isModule || owner.contains(".") else { return false }
    let module = String(owner.prefix { $0 != "." })
    return !modules.contains(module) && near(module: module).isEmpty
  }

  /// The nearest names of types, as a patch may write them.
  func near(type text: String) -> [String] {
    let names = text.contains(".") ? Array(types.keys) : types.keys.map(Self.path)
    return NearestNames.nearest(to: text, in: Set(names))
  }

  /// The path without the module: `Account` for `bankd.Account`.
  private static func path(_ name: String) -> String {
    name.firstIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
  }

  func near(module text: String) -> [String] { NearestNames.nearest(to: text, in: modules) }

  /// Types and modules, for globals.
  var globals: [String] { types.keys.map(Self.path) + modules }

  // MARK: Functions

  /// The patch points of a scope that a name of this kind may mean.
  func candidates(_ scope: Scope, _ kind: MemberKind, isStatic: Bool) -> [PatchPoint] {
    points[scope, default: []].filter { point in
      let isRight = if case .type = scope { point.declaration.isStatic == isStatic } else { true }
      return isRight && kind.includes(point.declaration.kind)
    }
  }

  /// The closures in functions of a scope; nil: nothing tells which there are.
  func closures(_ scope: Scope, isStatic: Bool) -> [PatchPoint]? {
    closures.map { closures in
      closures[scope, default: []].filter { closure in
        if case .type = scope { closure.declaration.function.isStatic == isStatic } else { true }
      }
    }
  }

  /// What debugging information tells of closures, by symbol.
  var described: [String: DescribedClosure] { debugInformation.closures }

  /// The closures that a place may mean: those in all functions of a module, or of a type.
  func closures(near scope: Scope) -> [PatchPoint] {
    let all = closures ?? [:]
    guard scope.isModule else { return all[scope] ?? [] }
    return all.values.joined().filter { $0.declaration.function.module == scope.name }
  }

  /// All patch points of a scope.
  func all(_ scope: Scope) -> [PatchPoint] { points[scope] ?? [] }

  /// The names by which a patch may call a function: `deposit`, and with labels `deposit_memo`.
  static func luaNames(of point: PatchPoint) -> [String] {
    let labels = point.declaration.labels.compactMap(\.self)
    let base = point.declaration.baseName
    return labels.isEmpty ? [base] : [base, ([base] + labels).joined(separator: "_")]
  }

  /// The names of a type's functions, stored properties and cases; nil: not all of them are known.
  func members(of type: NominalType) -> Set<String>? {
    guard let fields else { return nil }
    return Set(all(.type(type)).flatMap(Self.luaNames)).union((fields[type.unbound] ?? [:]).keys)
  }

  /// The type of a property; nil: there is none of this name, or several, or nothing tells its type.
  func type(ofProperty name: String, of type: NominalType) -> TypeNode? {
    if let stored = fields?[type.unbound]?[name] { return stored.type }
    let getters = candidates(.type(type), .getter, isStatic: false)
      .filter { $0.declaration.kind != .subscriptGetter && $0.declaration.baseName == name }
    return getters.count == 1 ? getters[0].declaration.result : nil
  }

  /// Whether a type has a static property of this name, or a case without a payload.
  func hasStaticValue(_ name: String, of type: NominalType) -> Bool {
    if type.kind == .enum, let found = fields?[type.unbound]?[name] { return !found.hasPayload }
    if staticValues.contains(where: { $0.has(name, in: type) }) { return true }
    return candidates(.type(type), .getter, isStatic: true).contains {
      $0.declaration.baseName == name
    }
  }

  /// Whether instances have a property or a method of this name, as far as is known.
  func hasMember(_ name: String, of type: NominalType) -> Bool {
    let isStored = type.kind != .enum && fields?[type.unbound]?[name] != nil
    return isStored
      || all(.type(type)).contains { $0.declaration.baseName == name && !$0.declaration.isStatic }
  }

  /// Whether a property is stored and a `let`.
  func isConstant(property name: String, of type: NominalType) -> Bool {
    fields?[type.unbound]?[name].map { !$0.isVariable } ?? false
  }

  /// The only method that a name means; nil: there is none, or several.
  func method(_ name: String, of type: NominalType) -> FunctionDeclaration? {
    let found = NameResolver.meant(
      by: name, among: candidates(.type(type), .method, isStatic: false))
    return found.count == 1 ? found[0].declaration : nil
  }

  /// Whether values of a type are the program's own objects, or its own structs, which have members.
  func hasMembers(_ type: NominalType) -> Bool {
    (type.kind == .class || type.kind == .struct) && types[type.qualifiedName] != nil
  }

  /// Whether any type has a member of this name.
  func hasMember(_ name: String) -> Bool { allMembers.contains(name) }

  /// Types that have a patch point which the name means, other than one.
  func owners(of name: String, _ kind: MemberKind, isStatic: Bool, except scope: Scope)
    -> [String]
  {
    points.keys.filter { other in
      other != scope
        && !NameResolver.meant(by: name, among: candidates(other, kind, isStatic: isStatic)).isEmpty
    }.map(\.name).sorted()
  }

  /// A function of this base name that has no patch point; nil: no file has one. Reads all symbols.
  func plainFunction(_ name: String, _ scope: Scope) -> FunctionDeclaration? {
    let base = String(name.prefix { $0 != "(" })
    return functions?.named(base).first { Scope($0) == scope }
  }

  /// The kind of stored property or variable that has the name, such as "a stored property"; nil if the files tell of
  /// none. Reads all symbols.
  func storedKind(_ name: String, _ scope: Scope) -> String? {
    let base = String(name.prefix { $0 != "(" })
    if case .type(let type) = scope, type.kind != .enum, fields?[type.unbound]?[base] != nil {
      return "a stored property"
    }
    let stored = functions?.named(base).contains {
      [.property, .accessor(.unsafeMutableAddressor)].contains($0.kind) && Scope($0) == scope
    }
    guard stored == true else { return nil }
    if case .type = scope { return "a stored static property" }
    return "a stored global variable"
  }

  /// Whether a type of this name is in a type or module.
  func hasType(_ name: String, in scope: Scope) -> Bool { types["\(scope.name).\(name)"] != nil }

  /// Whether a file or a library of Swift's mentions a function that this may be the name of, of any type.
  func mayHaveFunction(_ name: String) -> Bool {
    guard let functions else { return true }
    let ends = name.indices.filter { name[$0] == "_" && $0 != name.startIndex } + [name.endIndex]
    return ends.map { String(name[..<$0]) }.contains { base in
      !functions.named(base).isEmpty || Libraries.mention(base)
    }
  }
}

extension ProgramNames.Scope {
  init(_ declaration: FunctionDeclaration) {
    self = declaration.context.memberOf.map { .type($0.unbound) } ?? .module(declaration.module)
  }

  var name: String {
    switch self {
    case .type(let type): type.qualifiedName
    case .module(let name): name
    }
  }

  var isModule: Bool { if case .module = self { true } else { false } }
}

extension PatchPoint {
  /// A closure, as a function that can be overridden.
  fileprivate init(closure symbol: String, _ declaration: FunctionDeclaration) {
    self.init(
      symbol: symbol, entry: 0, implementation: nil, isAsync: declaration.isAsync,
      declaration: declaration)
  }

  fileprivate init(_ closure: ProgramClosure) {
    self.init(closure: closure.symbol, closure.declaration)
  }
}

/// What the debugging information of a program's files tells of closures. It is read when it is asked for.
private final class ClosureDebugInformation {
  private let images: [ElfImage]
  private(set) lazy var closures: [String: DescribedClosure] = images.reduce(into: [:]) {
    $0.merge(DebugInformation.closures(of: $1)) { first, _ in first }
  }

  init(_ images: [ElfImage]) { self.images = images }
}
