// SPDX-License-Identifier: MIT

package import Foundation
import Glibc
import WaxwingControl
import WaxwingSystem

/// A command could not be run, or has failed.
package struct FilteringError: Error {
  package let message: String

  package init(message: String) { self.message = message }
}

/// A command that turns its standard input into its standard output.
package struct Filter {
  private let words: [String]
  private let environment: [String: String]

  /// - Parameters:
  ///   - words: The command's name, looked for as the shell does, and its arguments.
  ///   - environment: What is added to this process's.
  package init(_ words: [String], environment: [String: String]) {
    self.words = words
    self.environment = environment
  }

  /// The outcome of a command.
  package struct Result {
    package let output, errors: Data
    /// The status as waitpid(2) returns it: 0 if the process succeeded.
    package let status: Int32
  }

  /// Runs the command to its end. Its errors go to this tool's standard error.
  /// - Returns: The output.
  /// - Throws: `FilteringError` also if it has failed.
  package func run(_ input: Data) throws(FilteringError) -> Data {
    let result = try result(of: input, capturesErrors: false)
    guard result.status == 0 else {
      let signal = result.status & 0x7f
      throw FilteringError(
        message: signal == 0
          ? "\(words[0]) ended with exit code \(result.status >> 8 & 0xff)"
          : "\(words[0]) was ended by signal \(signal)")
    }
    return result.output
  }

  /// Runs the command to its end, however that is.
  /// - Parameter capturesErrors: Whether its errors are kept as well.
  package func result(of input: Data, capturesErrors: Bool = true) throws(FilteringError) -> Result
  {
    // Files, not pipes: neither side ever waits for the other.
    let from = try unsafe temporaryFile()
    defer { unsafe fclose(from) }
    let to = try unsafe temporaryFile()
    defer { unsafe fclose(to) }
    let errors = try unsafe temporaryFile()
    defer { unsafe fclose(errors) }
    let written = unsafe input.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, from) }
    guard written == input.count, unsafe fflush(from) == 0 else {
      throw FilteringError(message: problem("cannot write a file"))
    }
    unsafe rewind(from)
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var streams: [ChildProcess.Stream] = unsafe [
      .copy(STDIN_FILENO, of: fileno(from)), .copy(STDOUT_FILENO, of: fileno(to)),
    ]
    if capturesErrors { unsafe streams.append(.copy(STDERR_FILENO, of: fileno(errors))) }
    let child: ChildProcess
    do throws(ErrorNumber) {
      child = try ChildProcess(
        words, environment: variables.map { "\($0.key)=\($0.value)" }, streams)
    } catch {
      throw FilteringError(
        message: unsafe "cannot run \(words[0]): \(String(cString: strerror(error.value)))")
    }
    let status = child.wait()
    return try unsafe Result(output: output(of: to), errors: output(of: errors), status: status)
  }

  private func temporaryFile() throws(FilteringError) -> UnsafeMutablePointer<FILE> {
    guard let file = unsafe tmpfile() else {
      throw FilteringError(message: problem("cannot write a file"))
    }
    return unsafe file
  }

  private func output(of file: UnsafeMutablePointer<FILE>) throws(FilteringError) -> Data {
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    // The descriptor's place is where the command has written last.
    guard unsafe fseek(file, 0, SEEK_SET) == 0 else {
      throw FilteringError(message: problem("cannot read what \(words[0]) printed"))
    }
    while case let count = unsafe fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes.append(contentsOf: buffer[..<count])
    }
    return bytes
  }

  private func problem(_ what: String) -> String {
    unsafe "\(what): \(String(cString: strerror(errno)))"
  }
}
