// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingLua
internal import WaxwingScripting

/// The script of `waxwing run`, in this process.
struct OwnScript: ShellScript {
  private let console: ScriptConsole

  init(_ runtime: ScriptRuntime) {
    console = ScriptConsole(runtime)
  }

  var greeting: String {
    "Waxwing \(ControlProtocol.engineVersion), Lua 5.4. help() explains; Ctrl-D or exit() ends."
  }

  func evaluate(_ text: String) -> ShellEvaluation {
    switch console.evaluate(text, name: "shell") {
    case .done: .done(output: "")
    case .incomplete: .incomplete
    case .failed(let failure):
      .failed(output: "", message: failure.message, frames: failure.frames.map(\.description))
    }
  }

  func completions(of text: String) -> [String] { console.completions(of: text) }
}
