// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import WaxwingReflection
import WaxwingToolKit

/// The engine as a shared library, which is loaded into programs that do not link it.
struct PreloadLibrary {
  /// The file name of the engine in a build.
  static let fileName = "libWaxwingPreload.so"

  /// The absolute path of the library.
  let path: String

  /// - Parameter given: Where the user says that it is; nil: beside this tool, or where it is installed.
  init(given: String?) throws(CommandError) {
    if let given {
      guard let path = Self.absolute(given) else {
        throw CommandError(
          .refused, "there is no library at \(given)", remedy: "leave --library out, or correct it")
      }
      self.path = path
    } else {
      let places = Self.places
      guard let path = places.lazy.compactMap(Self.absolute).first else {
        throw CommandError(
          .failure, "there is no \(Self.fileName): \(places.joined(separator: ", ")) do not exist",
          remedy: "build it with `swift build --product WaxwingPreload`, and name it with --library"
        )
      }
      self.path = path
    }
    // The loader takes LD_PRELOAD apart at both.
    guard !path.contains(where: { $0 == " " || $0 == ":" }) else {
      throw CommandError(
        .usage, "\(path) has a space or a colon in its name, which the loader cannot preload",
        remedy: "name a copy with --library")
    }
    try check()
  }

  /// A symbol that every preloadable engine defines, and that no program that links Waxwing has.
  private static let symbol = Array("waxwing_preload_begin".utf8)

  /// Checks the library. The loader ignores a library that it cannot preload with little more than
  /// a message, and the program would run without patches.
  private func check() throws(CommandError) {
    func refusal(_ reason: String) -> CommandError {
      CommandError(
        .refused, "\(path) is not the engine: \(reason)",
        remedy: "name \(Self.fileName) with --library, or leave it out")
    }
    let image: ElfImage
    do throws(ElfError) { image = try ElfImage(path: path) } catch {
      throw refusal(error.message)
    }
    guard image.machine == .x86_64 else { throw refusal("it is not for x86_64") }
    let symbol = Self.symbol
    let found = unsafe try? image.symbols(in: .dynamic, where: { unsafe $0.elementsEqual(symbol) })
    guard found?.contains(where: \.isDefined) == true else {
      throw refusal("it does not define \(String(decoding: symbol, as: UTF8.self))")
    }
  }

  private static var places: [String] {
    let tool = URL(fileURLWithPath: absolute("/proc/self/exe") ?? "/").deletingLastPathComponent()
    return [tool, tool.appendingPathComponent("../lib/waxwing").standardizedFileURL].map {
      $0.appendingPathComponent(fileName).path
    }
  }

  /// The absolute path of a file; nil if there is no such file.
  private static func absolute(_ path: String) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    var status = stat()
    guard unsafe stat(found, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return unsafe String(cString: found)
  }
}
