// SPDX-License-Identifier: MIT

import Testing
import WaxwingTestSupport

/// Records an issue if a command failed, and shows what it printed.
/// - Parameter sourceLocation: Where the issue is recorded: the line of the call.
func expectSuccess(
  _ result: CommandResult, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(
    result.isSuccess, "\(result.status)\n\(result.standardOutput)\(result.standardError)",
    sourceLocation: sourceLocation)
}
