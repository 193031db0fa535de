// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingLua
import WaxwingOperations
import WaxwingReflection

/// The engine of this process: its sessions, one after the other. There is one, because the
/// program's replacement entries are there once.
/// Unchecked: a property has a lock of its own, or is for the thread that is in an operation.
final class Engine: @unchecked Sendable {
  static let shared = Engine()

  let log = Log()
  let patchability: Patchability
  let registry = OverrideRegistry()
  let methods = MethodRegistry()
  let late = LateSessions()
  let timers = Timers()
  let audit = AuditLog()
  let counters = ControlCounters()
  let restores = PendingRestores()
  let watchdog: Watchdog
  let collector: IdleCollector
  private let operations = OperationLock()
  private let currentPolicy = Mutex(Policy())
  private let programsPolicy = Mutex(Policy())
  private let currentHost = Mutex(HostConfiguration())
  private let currentInstance = Mutex(Instance.first)
  private let generations = Atomic(0)
  private let knownBuildID = Mutex<String?>(nil)
  private let currentFloors = Mutex<any RollbackProtection>(FloorsInMemory())

  /// What may not go back: serial numbers, and the time.
  var floors: any RollbackProtection {
    get { currentFloors.withLock { $0 } }
    set { currentFloors.withLock { $0 = newValue } }
  }

  /// What the host lets patches do: what the program says and what the operator's file says.
  var policy: Policy {
    get { currentPolicy.withLock { $0 } }
    set {
      programsPolicy.withLock { $0 = newValue }
      let merged = newValue.merged(with: host.contents)
      currentPolicy.withLock { $0 = merged }
      use(merged.limits)
    }
  }

  /// What the program says alone.
  var ownPolicy: Policy { programsPolicy.withLock { $0 } }

  /// The operator's file.
  var host: HostConfiguration {
    get { currentHost.withLock { $0 } }
    set { currentHost.withLock { $0 = newValue } }
  }

  /// Which of the program's instances this is; known once it listens.
  var instance: Instance {
    get { currentInstance.withLock { $0 } }
    set { currentInstance.withLock { $0 = newValue } }
  }

  /// How often the set of live patches has changed.
  var generation: Int { generations.load(ordering: .relaxed) }

  func countGeneration() { generations.wrappingAdd(1, ordering: .relaxed) }

  // Everything below: only by the thread that is in an operation.
  private var program: RunningProgram?
  private var lastNumber = 0
  /// Oldest first; the draining ones too.
  var sessions: [PatchSession] = []
  let keeper = KeptPatches()

  /// There is one, `shared`, but for tests of programs that cannot be patched.
  init(_ patchability: Patchability = .shared) {
    self.patchability = patchability
    watchdog = Watchdog(log)
    collector = IdleCollector(log)
    use(Policy().limits)
  }

  /// Those that are not of a patch.
  private func use(_ limits: Policy.Limits) {
    LuaState.setTotalMemoryLimit(limits.totalMemory)
    watchdog.patience = .seconds(max(0, limits.stuckSeconds))
    collector.pause = .milliseconds(max(0, limits.idleMilliseconds))
  }

  /// - Parameter name: What it is called where others wait for it in vain.
  func operation<Result>(
    _ name: String = "an operation", _ body: () throws -> Result
  ) throws -> Result {
    try operations.withLock(name, body)
  }

  /// The operation that is going on; nil: none is.
  var currentOperation: String? { operations.current }

  /// The program's, if there is one; nil also while an operation is in the way of reading it.
  var buildID: String? {
    if let known = knownBuildID.withLock({ $0 }) { return known }
    return try? operation { try runningProgram().buildID }
  }

  /// Reads the program's symbols the first time, and later those of what it has loaded since.
  func runningProgram() throws -> RunningProgram {
    if let program {
      program.refresh()
      return program
    }
    do throws(ElfError) {
      let program = try RunningProgram(facts: factsReader)
      self.program = program
      knownBuildID.withLock { $0 = program.buildID }
      return program
    } catch {
      throw WaxwingError(.unavailable, "this program cannot be patched: \(error.message)")
    }
  }

  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func list() throws -> [PatchInfo] {
    try operation {
      finishDraining()
      return sessions.map(\.info)
    }
  }

  func session(named name: String) -> PatchSession? {
    sessions.last { $0.name == name && $0.state == .active }
  }
}
