// SPDX-License-Identifier: MIT

extension NodeReport.Counters {
  /// The counts since an earlier time. Counts that a restart has set back to zero are counted from
  /// zero, and never less than that: counts between the earlier time and the restart are lost.
  package func since(_ earlier: NodeReport.Counters) -> NodeReport.Counters {
    let isSame = since == earlier.since
    func rise(_ now: Int, _ before: Int) -> Int {
      // Reports are not trusted: a negative counter counts as none.
      let (now, before) = (max(now, 0), max(before, 0))
      return isSame && now >= before ? now - before : now
    }
    var delta = self
    delta.calls = rise(calls, earlier.calls)
    delta.faults = rise(faults, earlier.faults)
    delta.fallbacks = rise(fallbacks, earlier.fallbacks)
    delta.switchedOff = rise(switchedOff, earlier.switchedOff)
    delta.restarts = rise(restarts, earlier.restarts)
    delta.requests = requests.map { rise($0, earlier.requests ?? 0) }
    delta.errors = errors.map { rise($0, earlier.errors ?? 0) }
    return delta
  }
}
