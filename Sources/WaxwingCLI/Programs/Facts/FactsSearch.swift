// SPDX-License-Identifier: MIT

import Glibc
import WaxwingDeclarations
import WaxwingPatches
import WaxwingReflection
import WaxwingToolKit

/// Finds out what the methods and accessors among a program's patch points do with `self`.
///
/// The compiler's modules tell of all that the source has, the debugging information of what the
/// compiler has made, too. Where both tell, they agree, or the modules are those of another build.
struct FactsSearch {
  /// What became of a module.
  struct Module: Encodable {
    let name: String
    /// Where it was found; nil: nowhere.
    let file: String?
    /// Why it tells nothing; nil: it does.
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

  init(
    _ program: String, folders: [String], flags: [String]
  ) throws(CommandError) {
    do throws(ElfError) {
      image = try ElfImage(path: program)
      points = try PatchPointCatalog(image: image).points.filter(\.declaration.hasInstanceSelf)
    } catch {
      throw CommandError(.refused, "\(program): \(error.message)")
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

  /// Asks for each module that has a patch point.
  func run() throws(CommandError) -> (modules: [Module], facts: FunctionFacts) {
    var modules: [Module] = []
    var told: [String: SelfKind] = [:]
    for name in Set(points.map(\.declaration.module)).sorted() {
      let module = try Self.ask(name, folders, flags, &told)
      modules.append(module)
    }
    let described = DebugInformation.selfKinds(of: image)
    var kinds: [String: SelfKind] = [:]
    for point in points {
      kinds[point.symbol] = try kind(of: point, told[point.symbol], described[point.symbol])
    }
    let name = program.split(separator: "/").last.map(String.init) ?? program
    return (modules, FunctionFacts(program: name, build: build, selfKinds: kinds))
  }

  private static func ask(
    _ name: String, _ folders: [String], _ flags: [String], _ told: inout [String: SelfKind]
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
      told.merge(try tool.selfKinds()) { first, _ in first }
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
