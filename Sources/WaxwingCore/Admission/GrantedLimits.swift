// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingPatches

/// The limits of one patch: those that it asks for, as far as the host grants them.
struct GrantedLimits {
  let memory: Int
  let call: CallLimits
  let load: CallLimits
}

extension Policy.Limits {
  /// A figure of 0 is no limit.
  func granted(to manifest: PatchManifest) -> GrantedLimits {
    let asked = manifest.limits
    let isUnlimited = manifest.capabilities.contains(Policy.Capability.unlimited.rawValue)
    func least(_ asked: Int?, _ usual: Int, _ most: Int) -> Int {
      let wanted = asked ?? usual
      return most == 0 ? wanted : min(wanted, most)
    }
    return GrantedLimits(
      memory: least(asked.memory, memory, mostMemory),
      call: isUnlimited
        ? CallLimits()
        : CallLimits(
          instructions: least(asked.instructions, instructions, mostInstructions),
          milliseconds: least(asked.milliseconds, milliseconds, mostMilliseconds)),
      load: isUnlimited
        ? CallLimits()
        : CallLimits(instructions: loadInstructions, milliseconds: loadMilliseconds))
  }

  /// A sentence for each limit that a patch asks for and does not get.
  func lowered(_ asked: PatchLimits) -> [String] {
    func line(_ name: String, _ asked: Int?, _ most: Int, _ unit: String) -> String? {
      guard let asked, most != 0, asked > most else { return nil }
      return "`limits.\(name)` is \(asked)\(unit); the host allows \(most)\(unit), which applies"
    }
    return [
      line("instructions", asked.instructions, mostInstructions, ""),
      line("milliseconds", asked.milliseconds, mostMilliseconds, " ms"),
      line("memory", asked.memory, mostMemory, " bytes"),
    ].compactMap { $0 }
  }
}
