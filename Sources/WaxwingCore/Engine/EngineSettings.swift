// SPDX-License-Identifier: MIT

import Synchronization

/// The rules for patches in this process: the program's policy, the operator's file, and both
/// combined.
package final class EngineSettings: Sendable {
  private struct Contents {
    var own = Policy()
    var host = HostConfiguration()
    var merged = Policy()
  }

  private let contents = Mutex(Contents())

  /// The program's policy combined with the operator's file.
  var policy: Policy { contents.withLock { $0.merged } }

  /// The program's policy alone.
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
