// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// One client of a control server, as a state machine over a descriptor that never blocks.
/// Used by the loop's thread only.
final class ServerConnection {
  enum Phase: Equatable {
    /// Bytes of a request are welcome.
    case reading
    /// The request is with the request thread; further bytes stay in the system's buffer.
    case waiting
    /// The answer is on its way; after that the client is read again, or dropped.
    case writing(isLast: Bool)
    /// The connection is at its end.
    case over
  }

  let id: UInt64
  /// The process at the other end; nil if the system does not say.
  let peer: ControlPeer?
  /// The role of the client; nil if it has none.
  let role: ControlRole?
  let descriptor: FileDescriptor
  private let limits: ControlServerLimits
  private(set) var phase = Phase.reading
  private(set) var deadline: Deadline
  private var decoder = FrameDecoder()
  private var output: ArraySlice<UInt8> = []

  /// The time since when the client has been silent, or has not read its answer; nil if the client
  /// waits for an answer.
  var idleSince: Deadline? { phase == .waiting ? nil : lastActivity }
  private var lastActivity = Deadline.now

  init(
    id: UInt64, descriptor: consuming FileDescriptor, limits: ControlServerLimits,
    access: ControlAccess
  ) {
    self.id = id
    peer = ControlPeer(of: descriptor.number)
    role = peer.flatMap { access.role(of: $0) }
    self.descriptor = descriptor
    self.limits = limits
    deadline = .after(seconds: limits.idleSeconds)
  }

  /// A child that a host thread forked may hold the descriptor too; the client shall see the end.
  deinit { shutdown(descriptor.number, Int32(SHUT_RDWR)) }

  /// Whether a request has begun to arrive.
  var isInsideFrame: Bool { decoder.isInsideFrame }

  /// The events to poll for.
  var interest: Int32 {
    switch phase {
    case .reading: POLLIN
    case .writing: POLLOUT
    case .waiting, .over: 0
    }
  }

  /// Takes what the client sent: the next whole frame, or nil.
  func receive() -> [UInt8]? {
    guard phase == .reading else { return nil }
    let wasInsideFrame = decoder.isInsideFrame
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    switch descriptor.receive(into: &buffer) {
    case .success(0): phase = .over
    case .success(let count):
      decoder.append(buffer[..<count])
      lastActivity = .now
      // The deadline stands from the first byte on: one byte now and then does not extend it.
      if !wasInsideFrame { deadline = .after(seconds: limits.frameSeconds) }
    case .failure(let error) where error.wouldBlock: break
    case .failure: phase = .over
    }
    return nextFrame()
  }

  /// Takes the next request out of the bytes that are here already.
  func nextFrame() -> [UInt8]? {
    guard phase == .reading else { return nil }
    do throws(ControlFailure) {
      guard let json = try decoder.next() else { return nil }
      phase = .waiting
      deadline = .never
      return json
    } catch {
      refuse(error)
      return nil
    }
  }

  /// Starts to send an answer.
  func answer(_ frame: [UInt8], isLast: Bool = false) {
    output = frame[...]
    lastActivity = .now
    phase = .writing(isLast: isLast)
    deadline = .after(seconds: limits.writeSeconds)
    flush()
  }

  /// Says why the client is dropped, then drops it.
  func refuse(_ failure: ControlFailure) {
    answer(WireCoder.frame(orFailure: .failure(failure)), isLast: true)
  }

  /// Says why the client is dropped, as far as that fits at once, and drops it.
  func dismiss(_ failure: ControlFailure) {
    refuse(failure)
    close()
  }

  /// Sends as many bytes as the socket takes.
  func flush() {
    guard case .writing(let isLast) = phase else { return }
    while !output.isEmpty {
      switch descriptor.send(output) {
      case .success(let count): output = output.dropFirst(count)
      case .failure(let error) where error.wouldBlock: return
      case .failure:
        phase = .over
        return
      }
    }
    phase = isLast ? .over : .reading
    let seconds = decoder.isInsideFrame ? limits.frameSeconds : limits.idleSeconds
    deadline = .after(seconds: seconds)
  }

  /// Ends the connection; bytes that were not sent are lost.
  func close() { phase = .over }
}
