// SPDX-License-Identifier: MIT

import WaxwingDeclarations
import WaxwingPatches
import WaxwingReflection

extension ByteTrial {
  /// Files of facts.
  public static let facts = ByteTrial(
    name: "facts", samples: [factsFile]
  ) { bytes in
    do throws(FunctionFacts.Fault) {
      let facts = try FunctionFacts(bytes)
      let again = try FunctionFacts(facts.encoded())
      return facts == again ? .accepted : .mistake("what is written is not what was read")
    } catch {
      return error.reason.isEmpty ? .mistake("it is refused without a reason") : .refused
    }
  }

  private static let factsFile = Array(
    """
    {"format": 1, "program": "bankd", "build": "00112233",
     "functions": {"$s1a1bV6borrowyyF": "nonmutating", "$s1a1bV7consumeyyF": "consuming"}}

    """.utf8)

  /// Debugging information: the unit's entries are damaged, or their shapes.
  public static let debugInformation = ByteTrial(
    name: "debugging information",
    samples: [SmallDebugInformation.info, SmallDebugInformation.abbreviations]
  ) { bytes in
    let whole = wholeKinds
    let asInfo = DebugInformation.selfKinds(
      info: bytes, abbreviations: SmallDebugInformation.abbreviations,
      strings: SmallDebugInformation.strings)
    let asShapes = DebugInformation.selfKinds(
      info: SmallDebugInformation.info, abbreviations: bytes,
      strings: SmallDebugInformation.strings)
    if bytes == SmallDebugInformation.info, asInfo != whole {
      return .mistake("the whole unit is not understood")
    }
    return asInfo.isEmpty && asShapes.isEmpty ? .refused : .accepted
  }

  private static let wholeKinds: [String: SelfKind] = [
    SmallDebugInformation.symbols[0]: .nonmutating, SmallDebugInformation.symbols[1]: .mutating,
    SmallDebugInformation.symbols[2]: .consuming,
  ]
}
