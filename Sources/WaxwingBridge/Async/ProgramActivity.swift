// SPDX-License-Identifier: MIT

package import WaxwingLua
internal import WaxwingValues

/// The main chunk of a script that is a program of its own. It runs on the main actor, and can wait.
/// Unchecked: as `Activity`.
package final class ProgramActivity: DrivenActivity, @unchecked Sendable {
  private let arguments: [String]
  /// The failure that ended the activity early. Written by its last turn.
  package private(set) var failure: LuaFailure?

  /// - Parameter chunk: Its reference, which this gives back.
  package init(_ chunk: Int32, _ arguments: [String], in patch: PatchContext) {
    self.arguments = arguments
    super.init(chunk, at: nil, on: .main, in: patch, nil)
  }

  override var name: String { "the script" }

  override func begin(_ coroutine: LuaCoroutine) -> Int32 {
    for argument in arguments { coroutine.writer.string(argument) }
    return super.begin(coroutine)
  }

  override func failed(_ failure: LuaFailure) { self.failure = failure }
}
