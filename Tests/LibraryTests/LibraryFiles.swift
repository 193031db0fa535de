// SPDX-License-Identifier: MIT

import Foundation
import WaxwingTestSupport

/// Files of this repository.
enum LibraryFiles {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The names of a folder's files that end so, sorted and without that ending; README.md is none.
  static func names(in folder: String, _ ending: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
      .filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.filter {
        $0 != "README"
      }.sorted()
  }
}

/// A patch in a folder that is gone at the end.
struct SpecPatch: ~Copyable {
  private let directory: TemporaryDirectory

  /// - Parameter modules: By file name, which may have folders.
  init(main: String, modules: [String: String] = [:]) throws {
    let folder = try TemporaryDirectory()
    try folder.write(main, to: "main.lua")
    for (name, text) in modules {
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: "\(folder.path)/\(name)").deletingLastPathComponent(),
        withIntermediateDirectories: true)
      try folder.write(text, to: name)
    }
    directory = folder
  }

  /// Applies it to the program, runs its tests, and takes it back.
  func run(_ options: String...) throws -> CommandResult {
    try Command(try BuiltProduct("specd").path, options + [directory.path]).run()
  }
}
