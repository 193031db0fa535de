// SPDX-License-Identifier: MIT

package import WaxwingPatches

/// The daemons of one program on a host, as an agent reaches them. Any thread may call it.
package protocol DaemonPort: AnyObject, Sendable {
  /// The daemons that are there, by names that stay the same over restarts.
  func daemons() throws(FleetError) -> [String]

  /// What one of them is, and has.
  func look(at daemon: String) throws(FleetError) -> ObservedDaemon

  /// Makes patches live in place of all others, all or none, exactly as they were published.
  /// - Parameter trialSeconds: After how long they end by themselves; nil: they are kept.
  func apply(
    _ patches: [PatchBundle], to daemon: String, trialSeconds: Double?
  ) throws(FleetError)

  /// Ends all patches, and keeps none.
  func restore(_ daemon: String) throws(FleetError)
}
