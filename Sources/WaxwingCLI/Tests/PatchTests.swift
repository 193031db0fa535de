// SPDX-License-Identifier: MIT

import FoundationEssentials
internal import WaxwingBridge
import WaxwingControl
import WaxwingLua
import WaxwingPatches
import WaxwingToolKit

/// The tests that a patch brings, as a patch of their own, which overrides nothing and runs them when it is
/// told to.
struct PatchTests {
  /// The patch's path as the command line gives it.
  private let path: String
  private let patch: CheckedPatch
  /// The files whose names end in `_spec.lua`.
  private let files: [PatchFile]
  private let isFolder: Bool

  private static let ending = "_spec.lua"

  /// - Throws: There are no tests.
  init(of patch: CheckedPatch, at path: String) throws(CommandError) {
    self.path = path
    self.patch = patch
    isFolder = patch.source.main.name.contains("/")
    files =
      try isFolder
      ? patch.source.modules.filter { $0.name.hasSuffix(Self.ending) } : [Self.file(beside: path)]
    guard files.isEmpty else { return }
    throw CommandError(
      .refused, "\(path) has no tests",
      remedy: "write them in files whose names end in \(Self.ending), such as "
        + "\(path)/spec/\(patch.source.baseName)\(Self.ending)")
  }

  /// The tests of a patch that is one file.
  private static func file(beside path: String) throws(CommandError) -> PatchFile {
    let tests = String(path.dropLast(".lua".count)) + ending
    do throws(PatchError) {
      let source = try PatchSource(path: tests)
      return source.main
    } catch {
      throw CommandError(
        .refused, "\(path) has no tests: \(tests): \(error.message)",
        remedy: "write them in \(tests)")
    }
  }

  /// The name of the patch that contains the tests.
  var name: String { patch.manifest.name + "-tests" }

  /// The name of the message that the patch's tests listen to.
  var message: String { "waxwing.test." + patch.manifest.name }

  var payload: ApplyRequest.Patch {
    let root = patch.source.baseName
    let modules = isFolder ? patch.source.modules : files.map { Self.file($0, in: root) }
    let all =
      [PatchFile(name: "\(root)/main.lua", bytes: Array(main(modules).utf8))] + modules
      + [PatchFile(name: "\(root)/waxwing/test.lua", bytes: LuaSources.test)]
    return ApplyRequest.Patch(files: all.map { PatchFilePayload(name: $0.name, bytes: $0.bytes) })
  }

  private static func file(_ file: PatchFile, in root: String) -> PatchFile {
    PatchFile(name: "\(root)/\(file.name)", bytes: file.bytes)
  }

  private func main(_ modules: [PatchFile]) -> String {
    let tests = modules.filter { $0.name.hasSuffix(Self.ending) }
      .map { "require \(LuaName.quoted($0.moduleName))" }
    return """
      patch { name = \(LuaName.quoted(name)) }
      local test, bridge = require "waxwing.test", require "waxwing.bridge"
      \(tests.joined(separator: "\n"))
      bridge.handle(\(LuaName.quoted(message)), function(phase, reply)
        task(function() reply(test.run(phase)) end)
      end)
      """
  }

  /// The results of a phase, from the reply of the tests.
  func results(_ reply: String) throws(CommandError) -> [TestResult] {
    // Of no tests, an empty table of Lua's is an object.
    if reply == "{}" { return [] }
    guard let results = try? JSONDecoder().decode([TestResult].self, from: Data(reply.utf8)) else {
      throw CommandError(.failure, "the tests of \(path) replied something other than results")
    }
    return results.map { result in
      var result = result
      result.at = result.at.map(place)
      return result
    }
  }

  /// A place in a file of the tests, by the path of the patch.
  private func place(_ text: String) -> String {
    guard let slash = text.firstIndex(of: "/") else { return text }
    var folder = Substring(path)
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    if isFolder { return folder + String(text[slash...]) }
    let parent = folder.lastIndex(of: "/").map { String(folder[...$0]) } ?? ""
    return parent + String(text[text.index(after: slash)...])
  }
}

/// The outcome of one test in one phase.
struct TestResult: Codable {
  let name: String
  let phase: String
  let ok: Bool
  let pending: Bool?
  /// File and line of the failure.
  var at: String?
  let message: String?
}
