// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Frames that wait for the request thread, and answers that wait for the loop.
///
/// The JSON is read and written here too: the loop must not be held up by a large message.
final class RequestQueue: Sendable {
  /// A frame as it came in.
  struct Request: Sendable {
    let client: UInt64
    let peer: ControlPeer
    let bytes: [UInt8]
  }

  /// A frame to be sent.
  struct Answer: Sendable {
    let client: UInt64
    let bytes: [UInt8]
  }

  private enum Work: Sendable {
    case request(Request)
    case refusal(ControlRefusal)
  }

  /// A live client has one request here at a most; the rest is room for those that have left.
  private static let limit = 256

  /// Refused clients that wait to be reported. Of a flood of them the rest is not.
  private static let refusalLimit = 32

  private struct State: Sendable {
    var requests: [Request] = []
    var refusals: [ControlRefusal] = []
    var answers: [Answer] = []
    var isStopping = false
    var hasEnded = false
    var thread: pthread_t?
  }

  private let clients: ServerClients
  private let wakeUp: WakeUp
  private let state = Monitor(State())

  /// The clients that are connected; kept by the loop's thread, read by any.
  let clientCount = Atomic(0)

  init(clients: ServerClients, wakeUp: WakeUp) {
    self.clients = clients
    self.wakeUp = wakeUp
  }

  var access: ControlAccess { clients.access }

  /// Whether ``stop()`` was called.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Takes a request; false if too many wait already, as when clients leave while one is stuck.
  func add(_ request: Request) -> Bool {
    state.withLock { state in
      guard state.requests.count < Self.limit else { return false }
      state.requests.append(request)
      return true
    }
  }

  /// Takes note of a client that was refused: who hears of that may be slow.
  func add(_ refusal: ControlRefusal) {
    state.withLock { state in
      guard state.refusals.count < Self.refusalLimit else { return }
      state.refusals.append(refusal)
    }
  }

  /// The answers since the last call.
  func takeAnswers() -> [Answer] {
    state.withLock { state in
      defer { state.answers = [] }
      return state.answers
    }
  }

  /// Drops what waits; the request in progress goes on.
  func stop() { state.withLock { $0.isStopping = true } }

  /// Waits for the request in progress, unless it is the caller.
  func waitForEnd(until deadline: Deadline) {
    _ = state.wait(until: deadline) { state -> Bool? in
      let isCaller = state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
      return state.hasEnded || isCaller ? true : nil
    }
  }

  /// The body of the request thread.
  func run() {
    state.withLock { $0.thread = pthread_self() }
    while let work = nextWork() {
      switch work {
      case .request(let request):
        let answer = Answer(client: request.client, bytes: answer(to: request))
        state.withLock { $0.answers.append(answer) }
        wakeUp.signal()
      case .refusal(let refusal): clients.refused(refusal)
      }
    }
    state.withLock { $0.hasEnded = true }
  }

  private func nextWork() -> Work? {
    let next: Work?? = state.wait { state -> Work?? in
      if state.isStopping { return .some(nil) }
      if !state.requests.isEmpty { return .request(state.requests.removeFirst()) }
      return state.refusals.isEmpty ? nil : .refusal(state.refusals.removeFirst())
    }
    return next ?? nil
  }

  private func answer(to request: Request) -> [UInt8] {
    let response: ControlResponse
    do throws(ControlFailure) {
      response = clients.answer(try WireCoder.request(request.bytes), from: request.peer)
    } catch {
      response = .failure(error)
    }
    return WireCoder.frame(orFailure: response)
  }
}

extension WireCoder {
  /// The frame of a response, or of a failure that says why the response cannot be sent.
  static func frame(orFailure response: ControlResponse) -> [UInt8] {
    do throws(ControlError) { return try frame(response) } catch {
      let failure = ControlFailure(.internal, message: error.message, remedy: error.remedy)
      return (try? frame(ControlResponse.failure(failure))) ?? []
    }
  }
}
