// SPDX-License-Identifier: MIT

import Foundation
import Glibc
internal import WaxwingBridge
import WaxwingControl
import WaxwingDeclarations
import WaxwingPatches
import WaxwingReflection
import WaxwingToolKit

/// Checks the file of a program: symbols, build flags, permissions.
struct ProgramCheck {
  private let path: String
  private let isStatic: Bool
  private let image: Result<ElfImage, ElfError>

  init(path: String, isStatic: Bool) {
    self.path = path
    self.isStatic = isStatic
    do throws(ElfError) { image = .success(try ElfImage(path: path)) } catch {
      image = .failure(error)
    }
  }

  /// The build ID; nil if the file cannot be read, or was linked without one.
  var buildID: String? { (try? image.get())?.buildID }

  var diagnoses: [Diagnosis] {
    switch image {
    case .failure(let error): [.failure(.program, "\(path): \(error.message)", remedy: "")]
    case .success(let image): kind(image) + rights + symbols(image)
    }
  }

  private func kind(_ image: ElfImage) -> [Diagnosis] {
    guard image.machine == .x86_64 else {
      return [
        .failure(
          .program, "\(path) is not for x86_64: its functions can be called, and not overridden",
          remedy: "build it for x86_64")
      ]
    }
    guard let buildID = image.buildID else {
      return [
        .warning(
          .program, "\(path) has no build ID: no patch can say that it is for this build alone",
          remedy: "link it with -Xlinker --build-id")
      ]
    }
    return [.ok(.program, "\(path) is for x86_64, build \(buildID)")]
  }

  /// Diagnoses who may change the file, and whether it gives its users rights of others.
  private var rights: [Diagnosis] {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return [] }
    var found: [Diagnosis] = []
    if status.st_mode & (S_ISUID | S_ISGID) != 0 {
      found.append(
        .warning(
          .program, "\(path) is set-user-ID or set-group-ID: it ignores the WAXWING_ variables",
          remedy: "use /etc/waxwing for its configuration, or chmod ug-s \(path)"))
    }
    if status.st_mode & 0o022 != 0 {
      found.append(
        .warning(
          .program, "\(path) can be written by other users", remedy: "chmod go-w \(path)"))
    }
    return found
  }

  private func symbols(_ image: ElfImage) -> [Diagnosis] {
    let catalog: PatchPointCatalog
    do throws(ElfError) { catalog = try PatchPointCatalog(image: image) } catch {
      return [librarysPoints(error, image)]
    }
    let modules = Set(catalog.points.map(\.declaration.module))
    var found = [
      Diagnosis.ok(
        .program,
        "\(path) has symbols, and \(counted(catalog.points.count, "patch point")) in "
          + modules.sorted().joined(separator: ", "))
    ]
    if !catalog.unreadable.isEmpty {
      found.append(
        .warning(
          .program,
          "\(path): \(counted(catalog.unreadable.count, "patch point")) cannot be named, such as "
            + catalog.unreadable[0],
          remedy: "they cannot be overridden; please report the symbol"))
    }
    let flag = InliningLoss(image, catalog.points).flatMap {
      FlagCheck(path: path, loss: $0).diagnosis
    }
    return found + [flag].compactMap(\.self) + facts(image) + dropped(image, catalog)
      + description(image) + runtime(image)
  }

  /// Diagnoses a program without patch points of its own: one of its libraries may have some.
  private func librarysPoints(_ error: ElfError, _ image: ElfImage) -> Diagnosis {
    if PointsListing.mayBeInLibraries(error, image),
      let libraries = try? SharedLibraries(of: path, ProcessInfo.processInfo.environment)
    {
      let own = libraries.found.first { library in
        guard !Libraries.isSystem(library.path), let image = try? ElfImage(path: library.path)
        else { return false }
        return (try? PatchPointCatalog.means(of: image)) != nil
      }
      if let own {
        return .ok(
          .program, "\(path) has no patch points of its own, and its library \(own.path) has some")
      }
    }
    if error.isLackOfPatchPoints, let means = try? PatchPointCatalog.means(of: image) {
      return .warning(
        .program,
        means == .code
          ? "\(path) has no functions that can be overridden without rewriting code"
          : "\(path) has no functions that can be overridden without rewriting code, only async closures",
        remedy: error.remedy
          + ", or let it rewrite code: `code-entries = allow` in its configuration")
    }
    return .failure(.program, "\(path): \(error.problem)", remedy: error.remedy)
  }

  /// Diagnoses a facts file that is not used. A program without one needs none, mostly.
  private func facts(_ image: ElfImage) -> [Diagnosis] {
    guard let build = image.buildID else { return [] }
    var found: [Diagnosis] = []
    let facts = FactsFile.read(of: path, build: build) { file, reason in
      found.append(
        .warning(
          .program, "\(file) is not used: \(reason)",
          remedy: "make it again where the program is built: waxwing facts \(path)"))
    }
    if let facts {
      found.append(
        .ok(
          .program,
          "\(path) has a facts file, with the default values of \(counted(facts.defaults.count, "function"))"
        ))
    }
    return found
  }

  /// The program's own types whose descriptions the optimizer has dropped.
  private func dropped(_ image: ElfImage, _ catalog: PatchPointCatalog) -> [Diagnosis] {
    let file = String(path.split(separator: "/").last ?? "")
    let names = OpaqueOwners(of: catalog, in: image, program: file).names
    guard !names.isEmpty else { return [] }
    let shown = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
    return [
      .warning(
        .program,
        "\(path): the optimizer has dropped the descriptions of \(counted(names.count, "type")): "
          + "\(shown); values of such types are opaque",
        remedy: "build with -enable-testing, or pass T.self as an Any.Type somewhere")
    ]
  }

  /// Checks the description that the program gives of itself.
  private func description(_ image: ElfImage) -> [Diagnosis] {
    let symbol = Array(DescribeMode.symbol.utf8)
    let found = try? unsafe image.symbols(in: .complete, where: { unsafe $0.elementsEqual(symbol) })
    guard found?.contains(where: \.isDefined) == true else {
      return [
        .warning(
          .program, "\(path) does not link Waxwing",
          remedy:
            "call WaxwingEngine.listen() in it, or start it with `waxwing exec`; a library needs nothing"
        )
      ] + preloaded(image)
    }
    guard !isStatic else { return [] }
    switch DescribedProgram(path: path, image).describe(within: 30) {
    case .failed(let reason):
      return [
        .failure(
          .program, "\(path): \(reason)", remedy: "start it by hand, and look at what it prints")
      ]
    case .page(let page):
      if let failure = page.failure {
        return [.failure(.program, "\(path): \(failure)", remedy: "")]
      }
      let check = PointsCheck(title: path, area: .program, points: page.points)
      let summary = check.summary(
        remedy: "`waxwing points \(path)` gives the reasons for the others")
      return [summary] + check.warnings
    }
  }

  /// Checks the description of a program that the engine is preloaded into.
  private func preloaded(_ image: ElfImage) -> [Diagnosis] {
    guard !isStatic, !image.isLibrary,
      case .page(let page) = DescribedProgram(path: path, image).describe(within: 30),
      page.failure == nil
    else { return [] }
    return PointsCheck(title: path, area: .program, points: page.points).warnings
  }

  /// A Swift runtime of its own does not ask Waxwing for replacements.
  private func runtime(_ image: ElfImage) -> [Diagnosis] {
    let symbol = Array("swift_retain".utf8)
    let found = [ElfSymbolTable.complete, .dynamic].contains { table in
      (try? unsafe image.symbols(in: table, where: { unsafe $0.elementsEqual(symbol) }))?
        .contains(where: \.isDefined) == true
    }
    guard found else { return [.ok(.program, "\(path) uses the shared Swift runtime")] }
    return [
      .warning(
        .program, "\(path) has a Swift runtime of its own (-static-stdlib)",
        remedy: "in a library no function can be overridden then: link it without -static-stdlib")
    ]
  }
}
