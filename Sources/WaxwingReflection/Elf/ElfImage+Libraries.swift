// SPDX-License-Identifier: MIT

extension ElfImage {
  /// The names of the shared libraries that the image needs, as its linker wrote them: `libFoo.so`. None of an
  /// image that needs none, or whose list of them lies outside the file.
  package var neededLibraries: [String] {
    guard let section = section(named: ".dynamic"), section.link != 0,
      let entries = try? range(of: section),
      let strings = sections.dropFirst(Int(section.link)).first.flatMap({ try? range(of: $0) })
    else { return [] }
    return stride(from: entries.lowerBound, to: entries.upperBound - 15, by: 16).compactMap {
      guard let tag = try? reader.load(UInt64.self, at: UInt64($0), part: "the dynamic section"),
        tag == 1,
        let name = try? reader.load(UInt64.self, at: UInt64($0 + 8), part: "the dynamic section")
      else { return nil }
      return reader.string(at: name, in: strings)
    }
  }
}
