// SPDX-License-Identifier: MIT

internal import WaxwingScripting

extension Engine {
  /// What the loaded patches hold, oldest first.
  func liveObjects(collecting: Bool) throws -> [LiveObjects] {
    try operation {
      finishDraining()
      if collecting { collectAll() }
      return sessions.map { session in
        let held = session.runtime.heldValues()
        return LiveObjects(
          patch: session.name, objects: held.objects, values: held.values, errors: held.errors,
          memory: session.runtime.memory)
      }
    }
  }

  /// Collects what no patch reaches any more, also where several of them hold it together.
  private func collectAll() {
    let runtimes = sessions.map(\.runtime)
    for runtime in runtimes { runtime.collect() }
    let before = liveProxies
    ScriptRuntime.collectJointCycles(of: runtimes.flatMap(\.all))
    if liveProxies < before { for runtime in runtimes { runtime.collect() } }
  }

  private var liveProxies: Int { sessions.reduce(0) { $0 + $1.runtime.liveProxies } }
}
