// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Foundation
import Glibc
import WaxwingControl
import WaxwingSystem
import WaxwingToolKit

/// The process in which a shell's code runs, from its start to its end.
/// Safe: it maps the memory that it shares with that process, and unmaps it at its end.
@safe
struct ShellProcess: ~Copyable {
  private let child: ChildProcess
  private let trap: UnsafeMutablePointer<wax_process_trap>
  var channel: ProgramChannel

  /// - Parameter words: The script to run before the first line, as for `waxwing run`.
  init(_ words: [String]) throws(CommandError) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Self.failed("a socket") }
    var page: Int32 = -1
    defer {
      close(ends[1])
      if page >= 0 { close(page) }
    }
    guard let trap = unsafe wax_process_trap_create(&page) else {
      let error = Self.failed("memory")
      close(ends[0])
      throw error
    }
    do throws(ErrorNumber) {
      child = try ChildProcess(
        [Self.tool, "shell-program"] + words,
        [
          .copy(ProgramDescriptor.channel, of: ends[1]), .copy(ProgramDescriptor.trap, of: page),
        ])
    } catch {
      errno = error.value
      let failure = Self.failed("a process")
      unsafe wax_process_trap_destroy(trap)
      close(ends[0])
      throw failure
    }
    unsafe self.trap = unsafe trap
    channel = ProgramChannel(ends[0])
  }

  deinit { unsafe wax_process_trap_destroy(trap) }

  /// The file of this program.
  private static let tool =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    .flatMap { unsafe access($0, X_OK) == 0 ? $0 : nil } ?? "/proc/self/exe"

  private static func failed(_ what: String) -> CommandError {
    CommandError(
      .failure, unsafe "the shell cannot have \(what): \(String(cString: strerror(errno)))")
  }

  /// Waits until the process has said something, or has ended.
  /// - Returns: Whether there is something to receive.
  func wait(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, milliseconds) > 0
  }

  /// Stops Lua code, as Ctrl-C in the terminal does; without such, nothing happens.
  func interrupt() { kill(child.id, SIGINT) }

  /// Ends a process that does not stop, and says where it was.
  consuming func stop() -> ProgramEnd {
    kill(child.id, SIGQUIT)
    // Answers that come late are nobody's. This takes milliseconds, if the machine is not busy.
    let end = ContinuousClock.now + .seconds(10)
    var isOver = false
    while !isOver, .now < end {
      if wait(milliseconds: 50) { isOver = !channel.receive() }
    }
    let place = place()
    kill(child.id, SIGKILL)
    close(channel.descriptor)
    _ = child.wait()
    return ProgramEnd(
      cause: .interrupted, function: place.function, frames: place.frames, message: nil)
  }

  /// Tells how a process ended that sends no more messages.
  consuming func end() -> ProgramEnd {
    let place = place()
    close(channel.descriptor)
    let status = child.wait()
    let signal = status & 0x7f
    return ProgramEnd(
      cause: signal == 0 ? .exited(status >> 8 & 0xff) : .signal(signal),
      function: place.function, frames: place.frames, message: message)
  }

  // MARK: Where it was

  private func place() -> (function: String?, frames: [String]) {
    guard unsafe trap.pointee.signal != 0 else { return (nil, []) }
    let count = unsafe min(Int(trap.pointee.frame_count), Int(WAX_PROCESS_TRAP_FRAMES))
    let addresses = unsafe withUnsafeBytes(of: &trap.pointee.frames) {
      unsafe Array($0.bindMemory(to: UInt64.self).prefix(count))
    }
    // The process waits for this.
    let images = LoadedFiles.images(ofProcess: "\(child.id)")
    let symbolizer = Symbolizer(images)
    // An address is where a function goes on: behind its call, but for the innermost.
    let places = addresses.enumerated().map { UInt($1) - ($0 == 0 ? 0 : 1) }
    let own = images.sorted { $0.base < $1.base }
    let called = places.prefix { place in own.last { $0.base <= place }?.path != Self.tool }
    let names = called.map(symbolizer.name(at:))
    let isWhole = called.count < places.count
    // What reports the failure is no news.
    let shown = names.drop { $0.contains("_assertionFailure(") || $0.contains("_fatalError") }
    return ((isWhole ? names.last : nil) ?? names.first, shown.prefix(8).map { "in \($0)" })
  }

  /// The last line that is not empty.
  private var message: String? {
    guard unsafe trap.pointee.signal != 0 else { return nil }
    let count = unsafe min(Int(trap.pointee.message_length), Int(WAX_PROCESS_TRAP_MESSAGE))
    let text = unsafe withUnsafeBytes(of: &trap.pointee.message) {
      unsafe String(decoding: $0.prefix(count), as: UTF8.self)
    }
    return text.split(whereSeparator: \.isNewline).last.map(String.init)
  }
}
