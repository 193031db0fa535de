// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingPatches
import WaxwingSystem

/// Keeps the daemons of one program on one host where the fleet's documents say: one thread watches, one works,
/// and one reports. It trusts no document that nobody has signed, and the daemons trust nothing that it gives
/// them. Without the store nothing changes.
package final class Agent: Sendable {
  /// What a program counts itself.
  package struct ProgramCounts: Hashable, Sendable {
    let requests: Int?
    let errors: Int?
    let latency: Double?

    /// Takes counts since the program's start, and a time in microseconds.
    package init(requests: Int?, errors: Int?, latency: Double?) {
      self.requests = requests
      self.errors = errors
      self.latency = latency
    }
  }

  private static let stackSize = 512 * 1024

  let options: AgentOptions
  let backend: any FleetBackend
  let keys: FleetKeys
  let port: any DaemonPort
  let cache: DocumentCache
  let counts: (@Sendable () -> ProgramCounts?)?
  let log: @Sendable (String) -> Void
  let shared: Monitor<AgentState>

  /// - Parameters:
  ///   - counts: What the program counts itself; nil: nothing.
  ///   - log: Takes a line for each thing that is done, and for each trouble once.
  package init(
    _ options: AgentOptions, _ backend: any FleetBackend, _ keys: FleetKeys,
    _ verifier: DocumentVerifier, _ port: any DaemonPort,
    counts: (@Sendable () -> ProgramCounts?)? = nil, log: @escaping @Sendable (String) -> Void
  ) {
    self.options = options
    self.backend = backend
    self.keys = keys
    self.port = port
    self.counts = counts
    self.log = log
    cache = DocumentCache(backend, keys, verifier)
    shared = Monitor(AgentState(options))
  }

  /// Starts the threads.
  package func start() throws(FleetError) {
    let serials = try SerialFile(options.serialFile)
    try thread("agent-watch") { [self] in AgentWatcher(self).run() }
    try thread("agent-work") { [self] in AgentWorker(self, serials).run() }
    try thread("agent-report") { [self] in AgentReporter(self).run() }
  }

  /// Lets the threads end, and waits for that: the one that reports takes the node's report back. One that waits
  /// for a store or a daemon keeps nobody for longer than some seconds. Nothing changes in the daemons.
  package func stop() {
    let watch = shared.withLock { state in
      state.isStopped = true
      return state.watch
    }
    watch?.cancel()
    _ = shared.wait(until: .after(seconds: 3)) { $0.threads == 0 ? true : nil }
  }

  func thread(_ name: String, _ body: @escaping @Sendable () -> Void) throws(FleetError) {
    shared.withLock { $0.threads += 1 }
    do throws(ThreadError) {
      try EngineThread.start(name: name, stackSize: Self.stackSize) { [shared] in
        body()
        shared.withLock { $0.threads -= 1 }
      }
    } catch {
      shared.withLock { $0.threads -= 1 }
      throw FleetError(.unavailable, error.message, remedy: error.remedy)
    }
  }

  /// Lets so much time pass. False: the agent ends.
  func pause(seconds: Double) -> Bool {
    shared.wait(until: .after(seconds: seconds)) { $0.isStopped ? true : nil } != true
  }

  /// Takes the documents that agents watch, and obeys a halt at once.
  func see(_ entries: [FleetEntry]) {
    let halt = entries.contains { $0.key == keys.key(.halt) }
    var state: RolloutState?
    var trouble: String?
    if let entry = entries.first(where: { $0.key == keys.key(.state) }) {
      do throws(FleetError) {
        state = try DocumentCoder.decode(
          RolloutState.self, from: entry.value, named: "the state of the fleet")
      } catch {
        trouble = error.message
      }
    }
    // What cannot be read changes nothing.
    let (seen, why) = (state, trouble)
    let (isNew, isTold) = shared.withLock { shared in
      let isTold = shared.stateTrouble == why
      shared.stateTrouble = why
      shared.lastAnswer = .now
      return (shared.see(halt: halt, why == nil ? seen : shared.state), isTold)
    }
    if isNew { restoreAll() }
    if let why, !isTold { log(why) }
  }

  /// Puts all daemons back to baseline, all at once, and waits for them for some seconds. What fails is done
  /// again by the thread that works.
  private func restoreAll() {
    log("halt: all daemons go back to baseline")
    let daemons = (try? port.daemons()) ?? []
    let left = Monitor(daemons.count)
    for daemon in daemons {
      let work: @Sendable () -> Void = { [self] in
        do throws(FleetError) { try port.restore(daemon) } catch {
          log("\(daemon): \(error.message)")
        }
        left.withLock { $0 -= 1 }
      }
      do throws(FleetError) { try thread("agent-halt", work) } catch { work() }
    }
    _ = left.wait(until: .after(seconds: 10)) { $0 == 0 ? true : nil }
    shared.withLock { $0.changes += 1 }
  }
}
