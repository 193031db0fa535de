// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import WaxwingControl
import WaxwingReflection
import WaxwingSystem
import WaxwingToolKit

/// The facts about a module's functions by symbol, as its declarations have them.
struct ModuleFacts {
  /// How methods and accessors use `self`.
  var selfKinds: [String: SelfKind] = [:]
  /// The default values of parameters, by index.
  var defaults: [String: [Int: String]] = [:]
}

/// `swift-symbolgraph-extract`, which is part of each toolchain and prints what the compiler knows of a
/// module.
struct SymbolGraphTool {
  /// Why a module's declarations could not be read.
  struct Failure: Error {
    let reason: String
    /// Whether the tool itself is not there.
    var isMissing = false
  }

  static let name = "swift-symbolgraph-extract"

  /// The module that is asked about, and the folder that it is in.
  private let module: String
  private let folder: String
  private let compilation: BuildManifest.Compilation?
  /// Arguments that the user adds.
  private let flags: [String]

  init(
    module: String, folder: String, compilation: BuildManifest.Compilation?, flags: [String]
  ) {
    self.module = module
    self.folder = folder
    self.compilation = compilation
    self.flags = flags
  }

  /// The facts about the module's functions: including private ones, and those in extensions of other
  /// modules' types.
  func facts() throws(Failure) -> ModuleFacts {
    var facts = ModuleFacts()
    for graph in try graphs() {
      facts.selfKinds.merge(graph.selfKinds) { first, _ in first }
      facts.defaults.merge(graph.defaults) { first, _ in first }
    }
    return facts
  }

  /// The comments above the module's declarations, by symbol.
  func comments() throws(Failure) -> [String: [String]] {
    try graphs().reduce(into: [:]) { $0.merge($1.comments) { first, _ in first } }
  }

  private func graphs() throws(Failure) -> [SymbolGraph] {
    let output = try ScratchFolder()
    try run(into: output.path)
    var graphs: [SymbolGraph] = []
    for file in output.files where file.hasSuffix(".symbols.json") {
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: file)),
        let graph = try? JSONDecoder().decode(SymbolGraph.self, from: data)
      else { throw Failure(reason: "\(Self.name) wrote unexpected output") }
      graphs.append(graph)
    }
    return graphs
  }

  private func run(into output: String) throws(Failure) {
    var words = [
      tool, "-module-name", module, "-I", folder, "-minimum-access-level", "private",
      "-output-dir", output, "-skip-synthesized-members", "-skip-inherited-docs",
    ]
    let paths = compilation?.searchPaths ?? []
    if !(paths + flags).contains("-target") { words += ["-target", Self.target] }
    words += paths + flags
    let messages = output + "/messages"
    let status: Int32
    do throws(ErrorNumber) { status = try Self.run(words, messages: messages) } catch {
      throw Failure(reason: "\(Self.name) cannot be run: \(error.text)", isMissing: true)
    }
    guard status == 0 else { throw Failure(reason: Self.firstError(in: messages)) }
  }

  private var tool: String {
    if let folder = compilation?.toolchain {
      let path = "\(folder)/\(Self.name)"
      if unsafe access(path, X_OK) == 0 { return path }
    }
    return Self.name
  }

  private static var target: String {
    #if arch(x86_64)
      "x86_64-unknown-linux-gnu"
    #else
      "aarch64-unknown-linux-gnu"
    #endif
  }

  /// - Returns: As ``ChildProcess/wait()`` has it.
  private static func run(_ words: [String], messages: String) throws(ErrorNumber) -> Int32 {
    try ChildProcess(
      words,
      [
        .file(STDIN_FILENO, "/dev/null", O_RDONLY),
        .file(STDOUT_FILENO, messages, O_WRONLY | O_CREAT | O_TRUNC),
        .copy(STDERR_FILENO, of: STDOUT_FILENO),
      ]
    ).wait()
  }

  private static func firstError(in file: String) -> String {
    let data = try? Data(contentsOf: URL(fileURLWithPath: file))
    let lines = String(decoding: data ?? Data(), as: UTF8.self).split(separator: "\n")
    let error = lines.first { $0.contains("error:") } ?? lines.first ?? "it failed"
    return String(error.replacing("<unknown>:0: ", with: "").prefix(300))
  }
}

/// A folder for what a tool writes, which goes with this value.
private struct ScratchFolder: ~Copyable {
  let path: String

  init() throws(SymbolGraphTool.Failure) {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/waxwing-facts-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw SymbolGraphTool.Failure(
        reason: "cannot create a folder in \(parent): \(unsafe String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var files: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().map { "\(path)/\($0)" }
  }
}
