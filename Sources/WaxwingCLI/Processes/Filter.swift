// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import WaxwingControl
import WaxwingSystem

/// A command could not be run, or has failed.
struct FilteringError: Error {
  let message: String
}

/// A command that turns its standard input into its standard output. Errors go where this tool's go.
struct Filter {
  private let words: [String]
  private let environment: [String: String]

  /// - Parameters:
  ///   - words: The command's name, looked for as the shell does, and its arguments.
  ///   - environment: What is added to this process's.
  init(_ words: [String], environment: [String: String]) {
    self.words = words
    self.environment = environment
  }

  /// Runs the command to its end.
  /// - Returns: What it printed.
  func run(_ input: Data) throws(FilteringError) -> Data {
    // Files, not pipes: neither side ever waits for the other.
    guard let from = tmpfile() else {
      throw FilteringError(message: problem("cannot write a file"))
    }
    defer { fclose(from) }
    guard let to = tmpfile() else { throw FilteringError(message: problem("cannot write a file")) }
    defer { fclose(to) }
    let written = input.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, from) }
    guard written == input.count, fflush(from) == 0 else {
      throw FilteringError(message: problem("cannot write a file"))
    }
    rewind(from)
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let child: ChildProcess
    do throws(ErrorNumber) {
      child = try ChildProcess(
        words, environment: variables.map { "\($0.key)=\($0.value)" },
        [.copy(STDIN_FILENO, of: fileno(from)), .copy(STDOUT_FILENO, of: fileno(to))])
    } catch {
      throw FilteringError(
        message: "cannot run \(words[0]): \(String(cString: strerror(error.value)))")
    }
    let status = child.wait()
    guard status == 0 else {
      let signal = status & 0x7f
      throw FilteringError(
        message: signal == 0
          ? "\(words[0]) ended with exit code \(status >> 8 & 0xff)"
          : "\(words[0]) was ended by signal \(signal)")
    }
    return try output(of: to)
  }

  private func output(of file: UnsafeMutablePointer<FILE>) throws(FilteringError) -> Data {
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    // The descriptor's place is where the command has written last.
    guard fseek(file, 0, SEEK_SET) == 0 else {
      throw FilteringError(message: problem("cannot read what \(words[0]) printed"))
    }
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes.append(contentsOf: buffer[..<count])
    }
    return bytes
  }

  private func problem(_ what: String) -> String { "\(what): \(String(cString: strerror(errno)))" }
}
