// SPDX-License-Identifier: MIT

import Synchronization

/// What patches may do in this process: what the program says, what the operator's file says, and
/// both together.
package final class EngineSettings: Sendable {
  private struct Contents {
    var own = Policy()
    var host = HostConfiguration()
    var merged = Policy()
  }

  private let contents = Mutex(Contents())

  /// What the program says and what the operator's file says.
  var policy: Policy { contents.withLock { $0.merged } }

  /// What the program says alone.
  package var ownPolicy: Policy { contents.withLock { $0.own } }

  /// The operator's file.
  var host: HostConfiguration { contents.withLock { $0.host } }

  func use(_ policy: Policy?, _ host: HostConfiguration?) {
    contents.withLock { contents in
      if let policy { contents.own = policy }
      if let host { contents.host = host }
      contents.merged = contents.own.merged(with: contents.host.contents)
    }
  }
}
