// SPDX-License-Identifier: MIT

import Glibc
import WaxwingReflection
import WaxwingSystem
import WaxwingToolKit

/// File and line of functions, which a tool of the system's reads from an executable's debug
/// information.
struct SourceLocator {
  /// The tools that can, the best first, with the words before the file. All read addresses, a line
  /// each, and answer each with a line.
  private static let tools = [
    ["llvm-symbolizer", "--functions=none", "--no-inlines", "--output-style=GNU", "-e"],
    ["llvm-addr2line", "-e"],
    ["addr2line", "-e"],
  ]

  private let path: String
  private let image: ElfImage

  init(path: String) throws(CommandError) {
    do throws(ElfError) {
      image = try ElfImage(path: path)
      self.path = path
    } catch {
      throw CommandError(path, error)
    }
  }

  /// The places of functions by their symbols. Functions without a known place are missing.
  func places(of symbols: Set<String>) throws(CommandError) -> [String: String] {
    guard image.hasDebugLines else {
      throw CommandError(
        .refused, "\(path) has no debug information",
        remedy: "build it with `-g` (`-Xswiftc -g` in release), and do not strip it")
    }
    let found =
      (try? unsafe image.symbols(in: .complete) { unsafe $0.starts(with: "$s".utf8) }) ?? []
    let wanted = found.filter { $0.isDefined && symbols.contains($0.name) }
    let lines = try answers(to: wanted.map { "0x" + String($0.value, radix: 16) })
    return Dictionary(
      zip(wanted.map(\.name), lines).filter { !$1.hasPrefix("?") && !$1.hasSuffix(":?") },
      uniquingKeysWith: { first, _ in first })
  }

  private func answers(to addresses: [String]) throws(CommandError) -> [String] {
    for tool in Self.tools {
      let text = try Self.run(tool + [path], addresses.map { $0 + "\n" }.joined())
      guard let text else { continue }
      let lines = text.split(separator: "\n").map(String.init)
      guard lines.count == addresses.count else { continue }
      return lines.map { String($0.prefix { $0 != " " }) }
    }
    throw CommandError(
      .failure, "no tool reads debug information here",
      remedy: "install `llvm` or `binutils`: \(Self.tools.map { $0[0] }.joined(separator: ", "))")
  }

  /// The output of a tool; nil if it is missing or fails.
  private static func run(_ words: [String], _ input: String) throws(CommandError) -> String? {
    let given = try TemporaryFile()
    let taken = try TemporaryFile()
    given.write(input)
    let process = try? ChildProcess(
      words,
      [
        .copy(STDIN_FILENO, of: given.descriptor), .copy(STDOUT_FILENO, of: taken.descriptor),
        .file(STDERR_FILENO, "/dev/null", O_WRONLY),
      ])
    return process?.wait() == 0 ? taken.text : nil
  }
}

/// A file without a name.
private struct TemporaryFile: ~Copyable {
  let descriptor: CInt

  init() throws(CommandError) {
    var name = Array("/tmp/waxwing-XXXXXX".utf8CString)
    descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else {
      throw CommandError(
        .failure, "cannot create a file in /tmp: \(unsafe String(cString: strerror(errno)))")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unsafe unlink(name)
  }

  deinit { close(descriptor) }

  /// Writes a text, and goes back to its start.
  func write(_ text: String) {
    try? SystemCall.writeAll(Array(text.utf8)[...], to: descriptor)
    lseek(descriptor, 0, SEEK_SET)
  }

  /// The whole content of the file.
  var text: String {
    lseek(descriptor, 0, SEEK_SET)
    return String(decoding: (try? SystemCall.readAll(descriptor)) ?? [], as: UTF8.self)
  }
}
