// SPDX-License-Identifier: MIT

import SeededRandom
import WaxwingDeclarations
import WaxwingReflection

extension ByteTrial {
  /// ELF images: small ones made of the headers and the first symbols of the running program, and one
  /// with patch points. Most are damaged in a few fields.
  public static let images = ByteTrial(
    name: "ELF images", samples: wholeImages,
    damage: { mutation, sample, samples in
      guard Int.random(in: 0..<4, using: &mutation.random) > 0 else {
        return mutation.damaged(sample, among: samples)
      }
      let fields = mutations[samples.firstIndex(of: sample) ?? 0]
      return fields.of(sample, &mutation.random)
    },
    read: { bytes in
      guard let image = try? ElfImage(bytes: bytes) else { return .refused }
      for section in image.sections {
        guard let content = try? image.bytes(of: section) else { continue }
        if content.count > bytes.count { return .mistake("a section is longer than its file") }
      }
      for table in ElfSymbolTable.allCases { _ = try? image.symbols(in: table) }
      let points = (try? PatchPointCatalog(image: image))?.points.count
      if bytes == SmallImage.bytes, points != 4 { return .mistake("it has no patch points") }
      return .accepted
    })

  private static let wholeImages = [SmallImage.bytes] + OwnHeaders.images()
  private static let mutations = wholeImages.map { ImageMutation($0) }
}
