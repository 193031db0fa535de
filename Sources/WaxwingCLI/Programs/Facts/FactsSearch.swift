// SPDX-License-Identifier: MIT

import Glibc
import WaxwingDeclarations
import WaxwingPatches
import WaxwingReflection
import WaxwingToolKit

/// Finds out how a program's methods and accessors use `self`: those that are patch points, and
/// those of other modules in it that patches can call.
///
/// The compiler's modules tell of all that the source has, the debugging information of what the
/// compiler has made, too. Where both tell, they agree, or the modules are those of another build.
struct FactsSearch {
  /// The outcome of reading a module.
  struct Module: Encodable {
    let name: String
    /// The file in which the facts were found; nil if there is none.
    let file: String?
    /// The reason why the file has no facts; nil if it has some.
    let problem: String?
  }

  let program: String
  let image: ElfImage
  let build: String
  /// Where modules are looked for.
  let folders: [String]
  let flags: [String]

  /// The methods and accessors that there may be facts about.
  let points: [PatchPoint]
  /// The modules' own functions that are only called: symbols, by module.
  private let called: [String: [String]]

  init(
    _ program: String, folders: [String], flags: [String]
  ) throws(CommandError) {
    do throws(ElfError) {
      image = try ElfImage(path: program)
      let catalog = try PatchPointCatalog.ifAny(in: image)
      points = catalog?.points.filter(\.declaration.hasInstanceSelf) ?? []
      called = try Self.called(in: image, besides: points)
    } catch {
      throw CommandError(program, error)
    }
    guard let build = image.buildID else {
      throw CommandError(
        .refused, "\(program) has no build ID, which a facts file needs",
        remedy: "link it with `-Xlinker --build-id`")
    }
    self.program = program
    self.build = build
    self.folders = folders.isEmpty ? Self.folders(beside: program) : folders.map(Self.resolved)
    self.flags = flags
  }

  /// The functions that are called but are no patch points. Methods of objects are left out,
  /// because they get the object by value whatever they do.
  private static func called(
    in image: ElfImage, besides points: [PatchPoint]
  ) throws(ElfError) -> [String: [String]] {
    let known = Set(points.map(\.symbol))
    let swift = Array("$s".utf8)
    var called: [String: [String]] = [:]
    for symbol in try unsafe image.symbols(in: .complete, where: { unsafe $0.starts(with: swift) })
    where symbol.isDefined && !known.contains(symbol.name) {
      guard let last = symbol.name.utf8.last, "Fgs".utf8.contains(last),
        let declaration = FunctionDeclaration(symbol: symbol.name), declaration.hasInstanceSelf,
        declaration.contextType?.nominal?.kind != .class
      else { continue }
      called[declaration.module, default: []].append(symbol.name)
    }
    return called
  }

  /// SwiftPM has modules in a folder beside the program.
  static func folders(beside program: String) -> [String] {
    let folder = resolved(program).split(separator: "/").dropLast().joined(separator: "/")
    return ["/\(folder)/Modules", "/\(folder)"]
  }

  /// The path without symbolic links, as the build has it.
  static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// Asks for each module that has a patch point, and for each other one that is where they are.
  func run() throws(CommandError) -> (modules: [Module], facts: FunctionFacts) {
    var modules: [Module] = []
    var told = ModuleFacts()
    for name in Set(points.map(\.declaration.module)).sorted() {
      let module = try Self.ask(name, folders, flags, &told)
      modules.append(module)
    }
    let described = DebugInformation.selfKinds(of: image)
    var kinds: [String: SelfKind] = [:]
    for point in points {
      kinds[point.symbol] = try kind(
        of: point, told.selfKinds[point.symbol], described[point.symbol])
    }
    for name in called.keys.sorted() {
      if !modules.contains(where: { $0.name == name }) {
        let module = try Self.ask(name, folders, flags, &told)
        if module.file != nil { modules.append(module) }
      }
      for symbol in called[name] ?? [] { kinds[symbol] = told.selfKinds[symbol] ?? kinds[symbol] }
    }
    let name = program.split(separator: "/").last.map(String.init) ?? program
    let facts = FunctionFacts(
      program: name, build: build, selfKinds: kinds, defaults: try present(told.defaults))
    return (modules, facts)
  }

  /// The symbol of a function's declaration: of an initializer the part that initializes, which structs have
  /// no symbol of, and of an accessor the property or subscript.
  private static func declared(_ symbol: String) -> String {
    for (own, declaration) in [("fC", "fc"), ("gZ", "pZ"), ("g", "p")] where symbol.hasSuffix(own) {
      return symbol.dropLast(own.count) + declaration
    }
    return symbol
  }

  /// The default values of the functions that the image has a symbol of.
  private func present(
    _ defaults: [String: [Int: String]]
  ) throws(CommandError) -> [String: [Int: String]] {
    let swift = Array("$s".utf8)
    var present: [String: [Int: String]] = [:]
    do throws(ElfError) {
      for symbol in try unsafe image.symbols(
        in: .complete, where: { unsafe $0.starts(with: swift) })
      where symbol.isDefined {
        let declared = Self.declared(symbol.name)
        if let values = defaults[declared] { present[declared] = values }
      }
    } catch {
      throw CommandError(program, error)
    }
    return present
  }

  private static func ask(
    _ name: String, _ folders: [String], _ flags: [String], _ told: inout ModuleFacts
  ) throws(CommandError) -> Module {
    guard
      let folder = folders.first(where: { unsafe access("\($0)/\(name).swiftmodule", R_OK) == 0 })
    else {
      let places = folders.joined(separator: " or ")
      return Module(name: name, file: nil, problem: "there is no \(name).swiftmodule in \(places)")
    }
    let file = "\(folder)/\(name).swiftmodule"
    let build = folder.hasSuffix("/Modules") ? String(folder.dropLast("/Modules".count)) : folder
    let tool = SymbolGraphTool(
      module: name, folder: folder,
      compilation: BuildManifest(besideFolder: build).compilation(of: file), flags: flags)
    do throws(SymbolGraphTool.Failure) {
      let facts = try tool.facts()
      told.selfKinds.merge(facts.selfKinds) { first, _ in first }
      told.defaults.merge(facts.defaults) { first, _ in first }
      return Module(name: name, file: file, problem: nil)
    } catch {
      guard error.isMissing else { return Module(name: name, file: file, problem: error.reason) }
      throw CommandError(
        .failure, error.reason,
        remedy: "run this where \(name) was built, with the Swift toolchain's bin folder in PATH")
    }
  }

  private func kind(
    of point: PatchPoint, _ told: SelfKind?, _ described: SelfKind?
  ) throws(CommandError) -> SelfKind? {
    guard let told else { return described }
    guard let described, told != described else {
      return described == nil && point.declaration.kind.isAccessor && isOfReference(point)
        ? nil : told
    }
    // Of a setter the compiler's tool prints nothing where `self` is an object.
    if point.declaration.kind.isAccessor, isOfReference(point) { return described }
    throw CommandError(
      .refused,
      "\(point.declaration.qualifiedName) is \(described.rawValue) in \(program), and "
        + "\(told.rawValue) in the module: they belong to different builds",
      remedy: "build the program again, or name the folder of its modules with --modules")
  }

  private func isOfReference(_ point: PatchPoint) -> Bool {
    guard let type = point.declaration.context.memberOf else { return false }
    return type.kind == .class || type.kind == .protocol
  }
}
