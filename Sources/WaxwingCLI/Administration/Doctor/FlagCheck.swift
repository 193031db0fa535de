// SPDX-License-Identifier: MIT

import WaxwingDeclarations
import WaxwingReflection
import WaxwingToolKit

/// Names the modules and functions that lose most by implicit dynamic.
struct FlagCheck {
  let path: String
  let loss: InliningLoss

  /// The fewest places that are worth a line.
  private static let leastPlaces = 20

  /// nil: hardly a function of the program loses anything.
  var diagnosis: Diagnosis? {
    let modules = loss.modules
    guard modules.reduce(0, { $0 + $1.places }) >= Self.leastPlaces else { return nil }
    let named = modules.prefix(3).map { module in
      "\(module.name) with \(counted(module.functions, "function")) in \(counted(module.places, "place"))"
    }
    return Diagnosis(
      area: .program, verdict: .ok,
      message:
        "\(path): implicit dynamic costs most where small and generic functions are called: "
        + named.joined(separator: ", ") + (modules.count > 3 ? ", …" : "") + "; most of all "
        + worst.joined(separator: ", "),
      remedy:
        "if that is too slow, set the flag only on modules that you patch, or declare functions `dynamic` instead"
    )
  }

  /// The functions that are called in the most places. The accessors of a property count together.
  private var worst: [String] {
    let places = Dictionary(grouping: loss.functions, by: \.declaration.qualifiedName)
      .mapValues { $0.reduce(0) { $0 + $1.places } }
    return places.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }.prefix(3)
      .map { "\($0.key) in \($0.value)" }
  }
}
