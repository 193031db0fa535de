// SPDX-License-Identifier: MIT

import Glibc

/// Frames that wait for the request thread, and answers that wait for the loop.
///
/// The JSON is read and written here too: the loop must not be held up by a large message.
final class RequestQueue: Sendable {
  /// Bytes of a frame, and the client that they are from or for.
  struct Item: Sendable {
    let client: UInt64
    let bytes: [UInt8]
  }

  /// A live client has one request here at a most; the rest is room for those that have left.
  private static let limit = 256

  private struct State: Sendable {
    var requests: [Item] = []
    var answers: [Item] = []
    var isStopping = false
    var hasEnded = false
    var thread: pthread_t?
  }

  private let handler: ControlServer.Handler
  private let wakeUp: WakeUp
  private let state = Monitor(State())

  init(handler: @escaping ControlServer.Handler, wakeUp: WakeUp) {
    self.handler = handler
    self.wakeUp = wakeUp
  }

  /// Whether ``stop()`` was called.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Takes a request; false if too many wait already, as when clients leave while one is stuck.
  func add(_ request: Item) -> Bool {
    state.withLock { state in
      guard state.requests.count < Self.limit else { return false }
      state.requests.append(request)
      return true
    }
  }

  /// The answers since the last call.
  func takeAnswers() -> [Item] {
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
    while let request = nextRequest() {
      let answer = Item(client: request.client, bytes: answer(to: request.bytes))
      state.withLock { $0.answers.append(answer) }
      wakeUp.signal()
    }
    state.withLock { $0.hasEnded = true }
  }

  private func nextRequest() -> Item? {
    let next: Item?? = state.wait { state -> Item?? in
      if state.isStopping { return .some(nil) }
      return state.requests.isEmpty ? nil : .some(state.requests.removeFirst())
    }
    return next ?? nil
  }

  private func answer(to json: [UInt8]) -> [UInt8] {
    let response: ControlResponse
    do throws(ControlFailure) {
      response = handler(try WireCoder.request(json))
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
