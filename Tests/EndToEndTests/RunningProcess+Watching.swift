// SPDX-License-Identifier: MIT

import Expectations
import Testing
import WaxwingTestSupport

extension RunningProcess {
  /// Waits until a command that watches a daemon says that it has begun, or has ended.
  func waitUntilItWatches(sourceLocation: SourceLocation = #_sourceLocation) {
    waitUntil(
      "the command watches", seen: standardOutput + standardError, sourceLocation: sourceLocation
    ) { standardError.contains("Ctrl-C ends it") || !isRunning }
  }
}
