// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import WaxwingControl
import WaxwingReflection

/// Runs a program that links the engine so that it says which patch points it has, and ends before its
/// `main`.
struct DescribedProgram {
  enum Result {
    case page(PointPage)
    /// Why there is none.
    case failed(String)
  }

  private let path: String
  private let isAble: Bool

  init(path: String, _ image: ElfImage) {
    self.path = path.contains("/") ? path : "./" + path
    let symbol = Array(DescribeMode.symbol.utf8)
    let found = try? image.symbols(in: .complete, where: { $0.elementsEqual(symbol) })
    isAble = found?.contains(where: \.isDefined) == true
  }

  func describe(within seconds: Double) -> Result {
    guard isAble else { return .failed("the program does not link Waxwing, and was not run") }
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { return .failed("there is no pipe: \(Self.error)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let process: pid_t
    do {
      defer { close(ends[1]) }
      guard let started = start(ends[1]) else {
        return .failed("the program cannot be started: \(Self.error)")
      }
      process = started
    }
    let bytes = Self.read(ends[0], until: .now + .seconds(seconds))
    // It is of no use any more, whatever it does.
    kill(process, SIGKILL)
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard let bytes else {
      return .failed("the program did not describe itself within \(Int(seconds)) seconds")
    }
    guard let page = try? JSONDecoder().decode(PointPage.self, from: Data(bytes)) else {
      return .failed("the program ended before it described itself\(Self.cause(status))")
    }
    return .page(page)
  }

  private static var error: String { String(cString: strerror(errno)) }

  private static func cause(_ status: CInt) -> String {
    let signal = status & 0x7f
    return signal == 0 || signal == SIGKILL ? "" : ", of signal \(signal)"
  }

  /// The descriptor that the program has the pipe as.
  private static let descriptor: CInt = 3

  private func start(_ pipe: CInt) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipe, Self.descriptor)
    for (stream, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY)] {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", mode, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
    var environment = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var process: pid_t = 0
    let number = posix_spawn(&process, path, &actions, nil, &arguments, &environment)
    errno = number
    return number == 0 ? process : nil
  }

  private var environment: [String] {
    var variables = ProcessInfo.processInfo.environment
    variables[DescribeMode.variable] = "\(Self.descriptor)"
    // Nobody reads the report of a crash.
    variables["SWIFT_BACKTRACE"] = "enable=no"
    return variables.map { "\($0.key)=\($0.value)" }
  }

  /// All that comes through a pipe; nil: its end has not come in time.
  private static func read(_ pipe: CInt, until end: ContinuousClock.Instant) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
      guard left > 0 else { return nil }
      var request = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      let ready = poll(&request, 1, CInt(min(left.rounded(.up), 1e6)))
      if ready == 0 || (ready < 0 && errno == EINTR) { continue }
      let count = Glibc.read(pipe, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count > 0 { bytes += buffer[..<count] }
      if count < 0, errno != EINTR { return nil }
    }
  }
}
