// SPDX-License-Identifier: MIT

/// The lock that decides which controller leads: the one under whose lease the document is. A
/// leader that was cut off and does not know it yet does no harm, because it changes documents by
/// compare-and-swap on the revision that it has read.
struct ControllerLock {
  /// How long a dead leader is waited for, in seconds.
  static let seconds = 15

  let backend: any FleetBackend
  let key: String
  let name: String
  private var lease: FleetLease?
  /// The invalid document from which the lead was taken; nil if there was none.
  private(set) var found: String?

  init(backend: any FleetBackend, key: String, name: String) {
    self.backend = backend
    self.key = key
    self.name = name
  }

  /// Keeps the lead, or takes it if no controller has it.
  /// - Returns: Whether this controller leads.
  mutating func hold() throws(FleetError) -> Bool {
    found = nil
    if let lease {
      if try backend.keepAlive(lease), try isMine() { return true }
      self.lease = nil
    }
    // Most of the time another leads: a lease is not wasted on that.
    if let entry = try backend.get(key) {
      guard let defect = ControllerLead.defect(of: entry) else { return false }
      // Another controller may do the same: who creates the document last leads, and the other sees that.
      try backend.delete(key)
      found = defect
    }
    let lease = try backend.grantLease(seconds: Self.seconds)
    let bytes = DocumentCoder.encode(ControllerLead(name: name))
    if try backend.create(key, bytes, lease: lease) {
      self.lease = lease
      return true
    }
    try backend.revoke(lease)
    return false
  }

  /// Lets another lead at once.
  mutating func release() {
    guard let lease else { return }
    try? backend.revoke(lease)
    self.lease = nil
  }

  private func isMine() throws(FleetError) -> Bool {
    guard let entry = try backend.get(key) else { return false }
    let lead = try? DocumentCoder.decode(ControllerLead.self, from: entry.value, named: "the lead")
    return lead?.name == name
  }
}
