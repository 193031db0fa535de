// SPDX-License-Identifier: MIT

import CWaxwingProcess
import FoundationEssentials
import Glibc
import WaxwingControl
import WaxwingReflection
import WaxwingSystem
import WaxwingToolKit

/// Runs a program, with the engine preloaded if it does not link it, so that it says which patch points it has, and
/// ends before its `main`.
struct DescribedProgram {
  enum Result {
    case page(PointPage)
    /// Why there is none.
    case failed(String)
  }

  private let path: String
  private let isAble: Bool
  private let isLibrary: Bool

  init(path: String, _ image: ElfImage) {
    self.path = path.contains("/") ? path : "./" + path
    let symbol = Array(DescribeMode.symbol.utf8)
    let found = try? unsafe image.symbols(in: .complete, where: { unsafe $0.elementsEqual(symbol) })
    isAble = found?.contains(where: \.isDefined) == true
    isLibrary = image.isLibrary
  }

  /// - Parameter kind: What the program is to describe.
  func describe(_ kind: PointPage.Kind = .patchPoints, within seconds: Double) -> Result {
    if isLibrary { return .failed("it is a library: list the points of a program that loads it") }
    var variables = ProcessInfo.processInfo.environment
    if !isAble {
      do throws(CommandError) {
        variables = try preloadedEnvironment()
      } catch {
        return .failed("the program was not run: \(error.message)")
      }
    }
    if kind != .patchPoints { variables[DescribeMode.kindVariable] = kind.rawValue }
    let result = describe(variables, within: seconds)
    // That the engine cannot work in the program is no reason to list nothing.
    if !isAble, case .page(let page) = result, let failure = page.failure {
      return .failed(failure)
    }
    return result
  }

  /// The environment for describing a program that does not link the engine.
  private func preloadedEnvironment() throws(CommandError) -> [String: String] {
    let library = try PreloadLibrary(given: nil)
    var variables = try PreloadedProgram(named: path).environment(
      with: library, allowsUnsigned: false)
    // It is not to listen.
    variables[WAX_PRELOAD_REQUEST] = nil
    return variables
  }

  private func describe(_ variables: [String: String], within seconds: Double) -> Result {
    var ends: [CInt] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { return .failed("there is no pipe: \(Self.error)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let process: ChildProcess
    do throws(ErrorNumber) {
      defer { close(ends[1]) }
      process = try start(ends[1], variables)
    } catch {
      return .failed("the program cannot be started: \(error.text)")
    }
    let bytes = Self.read(ends[0], until: .after(seconds: seconds))
    // It is of no use any more, whatever it does.
    kill(process.id, SIGKILL)
    let status = process.wait()
    guard let bytes else {
      return .failed("the program did not describe itself within \(Int(seconds)) seconds")
    }
    guard let page = try? JSONDecoder().decode(PointPage.self, from: Data(bytes)) else {
      return .failed("the program ended before it described itself\(Self.cause(status))")
    }
    return .page(page)
  }

  private static var error: String { unsafe String(cString: strerror(errno)) }

  private static func cause(_ status: CInt) -> String {
    let signal = status & 0x7f
    return signal == 0 || signal == SIGKILL ? "" : ", of signal \(signal)"
  }

  /// The descriptor that the program has the pipe as.
  private static let descriptor: CInt = 3

  private func start(
    _ pipe: CInt, _ variables: [String: String]
  ) throws(ErrorNumber) -> ChildProcess {
    try ChildProcess(
      // A name alone is a file here, and not looked for.
      [path.contains("/") ? path : "./" + path], environment: Self.text(variables),
      [
        .copy(Self.descriptor, of: pipe),
        .file(STDIN_FILENO, "/dev/null", O_RDONLY), .file(STDOUT_FILENO, "/dev/null", O_WRONLY),
        .copy(STDERR_FILENO, of: STDOUT_FILENO),
      ])
  }

  private static func text(_ variables: [String: String]) -> [String] {
    var variables = variables
    variables[DescribeMode.variable] = "\(descriptor)"
    // Nobody reads the report of a crash.
    variables["SWIFT_BACKTRACE"] = "enable=no"
    return variables.map { "\($0.key)=\($0.value)" }
  }

  /// All bytes that come through a pipe; nil if the pipe's end has not come in time.
  private static func read(_ pipe: CInt, until end: Deadline) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while SystemCall.wait(for: Int32(POLLIN), on: pipe, until: end) != nil {
      let result = SystemCall.retrying { unsafe Glibc.read(pipe, &buffer, buffer.count) }
      guard case .success(let count) = result else { return nil }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
    return nil
  }
}

extension ElfImage {
  /// Whether the file is a shared library. Other images are programs, which name a loader.
  var isLibrary: Bool { type == .sharedObject && section(named: ".interp") == nil }
}
