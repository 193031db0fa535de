// SPDX-License-Identifier: MIT

import WaxwingPatches
import WaxwingReflection

extension Engine {
  /// Reads what was written down about an image, and logs what becomes of it.
  var factsReader: FactsReader {
    let log = log
    return { image, build in
      let facts = FactsFile.read(of: image, build: build) { file, reason in
        log.write(
          .warning, "facts.ignored", "\(file) is not used: \(reason)",
          [("file", file), ("image", image)])
      }
      if let facts {
        log.write(
          .info, "facts.read", "\(facts.selfKinds.count) functions of \(image) are known by facts",
          [("image", image), ("build", build)])
      }
      return facts?.selfKinds
    }
  }
}
