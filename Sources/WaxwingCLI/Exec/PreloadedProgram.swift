// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Foundation
import Glibc
import WaxwingControl
import WaxwingReflection
import WaxwingToolKit

/// A program that is to be started with the engine in it, once it is known that this can work.
struct PreloadedProgram {
  private static let runtime = "libswiftCore.so"

  let path: String

  /// - Parameter name: A path, or a name that is looked for in PATH.
  /// - Throws: Why it cannot be patched.
  init(named name: String) throws(CommandError) {
    path = try Self.path(of: name)
    let image: ElfImage
    do throws(ElfError) { image = try ElfImage(path: path) } catch {
      throw Self.refusal(path, "cannot be started with the engine", error)
    }
    try Self.checkRights(of: path)
    try Self.check(image, path)
  }

  private static func refusal(_ path: String, _ reason: String, remedy: String) -> CommandError {
    CommandError(.refused, "\(path) \(reason)", remedy: remedy)
  }

  private static func refusal(
    _ path: String, _ what: String, _ error: ElfError
  ) -> CommandError {
    refusal(path, "\(what): \(error.problem)", remedy: error.remedy)
  }

  private static func path(of name: String) throws(CommandError) -> String {
    if name.contains("/") {
      guard unsafe access(name, F_OK) == 0 else {
        throw CommandError(.refused, "there is no \(name)", remedy: "check the path")
      }
      return name
    }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for folder in folders where unsafe access("\(folder)/\(name)", X_OK) == 0 {
      return "\(folder)/\(name)"
    }
    throw CommandError(
      .refused, "there is no program \(name) in PATH",
      remedy: unsafe access(name, F_OK) == 0 ? "did you mean ./\(name)?" : "")
  }

  private static func checkRights(of path: String) throws(CommandError) {
    guard unsafe access(path, X_OK) == 0 else {
      throw refusal(path, "may not be run by this user", remedy: "chmod +x \(path)")
    }
    guard unsafe !wax_process_file_gives_rights(path) else {
      throw refusal(
        path,
        "has rights of its own (set-user-ID, set-group-ID or capabilities): the loader preloads nothing",
        remedy: "link Waxwing into it; see docs/adopting.md")
    }
  }

  /// Checks the properties that the program's file shows.
  private static func check(_ image: ElfImage, _ path: String) throws(CommandError) {
    guard image.machine == .x86_64 else {
      throw refusal(
        path, "is not for x86_64: its functions cannot be overridden", remedy: "build it for x86_64"
      )
    }
    guard let section = image.section(named: ".interp"), let loader = try? image.bytes(of: section)
    else {
      throw refusal(
        path, "is linked statically: nothing can be preloaded",
        remedy: "link it without -static-executable, or link Waxwing into it")
    }
    // Others would run the program when they are asked for its libraries.
    guard String(decoding: loader, as: UTF8.self).contains("/ld-linux") else {
      throw refusal(
        path, "does not use the loader of the GNU C library",
        remedy: "build it for Debian, or link Waxwing into it")
    }
    guard !defines(DescribeMode.symbol, image) else {
      throw refusal(
        path, "links Waxwing already", remedy: "start it as it is: it listens by itself")
    }
    guard !defines("swift_retain", image) else {
      throw refusal(
        path,
        "has a Swift runtime of its own (-static-stdlib), which a preloaded engine cannot share",
        remedy: "link it without -static-stdlib, or link Waxwing into it")
    }
  }

  private static func defines(_ name: String, _ image: ElfImage) -> Bool {
    let symbol = Array(name.utf8)
    return [ElfSymbolTable.complete, .dynamic].contains { table in
      unsafe (try? image.symbols(in: table, where: { unsafe $0.elementsEqual(symbol) }))?
        .contains(where: \.isDefined) == true
    }
  }

  /// The environment to start it with.
  /// - Throws: Why it cannot be patched.
  func environment(
    with library: PreloadLibrary, allowsUnsigned: Bool
  ) throws(CommandError) -> [String: String] {
    let usual = ProcessInfo.processInfo.environment
    let own = try libraries(usual)
    guard own.missing.isEmpty else {
      throw Self.refusal(
        path, "does not start: there is no \(own.missing.joined(separator: ", "))",
        remedy: "install them, or set LD_LIBRARY_PATH")
    }
    guard let runtime = own[Self.runtime] else {
      throw Self.refusal(
        path, "is no Swift program: it does not load \(Self.runtime)", remedy: "")
    }
    try checkPoints(own)
    var variables = usual
    variables["LD_PRELOAD"] = [library.path, usual["LD_PRELOAD"]].compactMap(\.self)
      .joined(separator: ":")
    variables[WAX_PRELOAD_REQUEST] =
      allowsUnsigned ? WAX_PRELOAD_UNSIGNED : WAX_PRELOAD_SIGNED
    if let loaded = try? libraries(variables), loaded.missing.isEmpty,
      loaded[Self.runtime] == runtime
    {
      try demand(library, in: loaded)
      return variables
    }
    // Of the engine's own libraries, those of Swift are to be the program's.
    let folder = (runtime as NSString).deletingLastPathComponent
    let paths = usual["LD_LIBRARY_PATH"]
    variables["LD_LIBRARY_PATH"] = [folder, paths].compactMap(\.self).joined(separator: ":")
    variables[WAX_PRELOAD_LIBRARY_PATH] = paths ?? ""
    let loaded = try libraries(variables)
    guard loaded.missing.isEmpty else {
      throw CommandError(
        .failure,
        "the engine cannot be loaded: there is no \(loaded.missing.joined(separator: ", "))",
        remedy: "install what docs/adopting.md lists under System packages")
    }
    try demand(library, in: loaded)
    return variables
  }

  /// A library that the loader cannot read it leaves out, and starts the program without it.
  private func demand(
    _ library: PreloadLibrary, in loaded: SharedLibraries
  ) throws(CommandError) {
    guard !loaded.found.contains(where: { $0.path == library.path }) else { return }
    throw CommandError(
      .failure, "the loader does not load \(library.path) into \(path)",
      remedy: "check that this user may read it, and that it is whole")
  }

  private func libraries(_ variables: [String: String]) throws(CommandError) -> SharedLibraries {
    do throws(FilteringError) {
      return try SharedLibraries(of: path, variables)
    } catch {
      throw CommandError(.failure, "the loader does not say what \(path) needs: \(error.message)")
    }
  }

  /// Fails if neither the program nor a library of it has a function that can be overridden.
  private func checkPoints(_ libraries: SharedLibraries) throws(CommandError) {
    let own: ElfError
    do throws(ElfError) {
      _ = try PatchPointCatalog.means(of: try ElfImage(path: path))
      return
    } catch {
      own = error
    }
    for library in libraries.found where !RunningImage.isSystem(library.path) {
      guard let image = try? ElfImage(path: library.path) else { continue }
      if (try? PatchPointCatalog.means(of: image)) != nil { return }
    }
    throw Self.refusal(path, "cannot be patched", own)
  }
}
