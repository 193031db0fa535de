// SPDX-License-Identifier: MIT

/// The description of a node, which its agent writes under a lease, so that it exists as long as
/// the agent does.
package struct NodeInfo: Hashable, Sendable, Codable {
  /// The name of the node.
  package let node: String
  /// The program whose daemons the agent patches.
  package let program: String
  /// The build IDs of the daemons that run there, sorted.
  package let builds: [String]
  /// The labels by which selectors choose nodes.
  package let labels: [String: String]
  /// The version of the agent.
  let version: String

  /// Creates the description of a node.
  package init(
    node: String, program: String, builds: [String], labels: [String: String], version: String
  ) {
    self.node = node
    self.program = program
    self.builds = builds
    self.labels = labels
    self.version = version
  }
}
