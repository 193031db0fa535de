// SPDX-License-Identifier: MIT

import WaxwingReflection

extension ByteTrial {
  /// ELF images: small ones made of the headers and the first symbols of the running program.
  public static let images = ByteTrial(name: "ELF images", samples: OwnHeaders.images()) { bytes in
    guard let image = try? ElfImage(bytes: bytes) else { return .refused }
    for section in image.sections {
      guard let content = try? image.bytes(of: section) else { continue }
      if content.count > bytes.count { return .mistake("a section is longer than its file") }
    }
    for table in ElfSymbolTable.allCases { _ = try? image.symbols(in: table) }
    _ = try? PatchPointCatalog(image: image)
    return .accepted
  }
}
