// SPDX-License-Identifier: MIT

import SeededRandom
import Testing
import WaxwingDeclarations

@testable import WaxwingReflection

enum SampleFigure {
  case circle(radius: Double, name: String)
  indirect case both([SampleFigure])
  case nothing
}

class SampleBase {
  struct Inner { let figure: SampleFigure }
}

final class SampleChild: SampleBase {
  let name = ""
  var amounts: [String: Int?] = [:]
  weak var parent: SampleBase?
  let inner: Inner? = nil
  let duration = Duration.zero
  let texts = ArraySlice<Substring>()
}

@Suite struct FieldCatalogTests {
  private static let fields: [String: FieldCatalog.Fields] = {
    guard let image = try? ElfImage(path: OwnImage.path),
      let types = try? TypeDescriptorCatalog(image: image)
    else { return [:] }
    let fields = FieldCatalog(image: image, types: types).fields
    return Dictionary(
      fields.map { ($0.key.qualifiedName, $0.value) }, uniquingKeysWith: { first, _ in first })
  }()

  private func records(_ type: String) throws -> [String] {
    let fields = try #require(Self.fields["WaxwingReflectionTests." + type])
    return fields.records.map { record in
      "\(record.isVariable ? "var" : "let") \(record.name): "
        + (record.type?.shortDescription(in: "WaxwingReflectionTests") ?? "none")
    }
  }

  @Test func `stored properties have their types, which may be another image's`() throws {
    #expect(
      try records("SampleChild") == [
        "let name: String", "var amounts: [String: Int?]", "var parent: weak SampleBase?",
        "let inner: SampleBase.Inner?", "let duration: Duration",
        "let texts: ArraySlice<Substring>",
      ])
    #expect(try records("SampleBase.Inner") == ["let figure: SampleFigure"])
    let child = try #require(Self.fields["WaxwingReflectionTests.SampleChild"])
    #expect(child.superclass?.nominal?.qualifiedName == "WaxwingReflectionTests.SampleBase")
    #expect(!child.isEnum)
  }

  @Test func `cases have their payloads`() throws {
    #expect(
      try records("SampleFigure") == [
        "let circle: (radius: Double, name: String)", "let both: [SampleFigure]",
        "let nothing: none",
      ])
    let fields = try #require(Self.fields["WaxwingReflectionTests.SampleFigure"])
    #expect(fields.isEnum && fields.records.map(\.hasPayload) == [true, true, false])
  }

  @Test func `damaged metadata is survived`() throws {
    let bytes = try ElfFile.bytes(path: ToolchainLibrary.swiftConcurrency.path)
    let whole = try ElfImage(bytes: bytes)
    let types = try TypeDescriptorCatalog(image: whole)
    let section = try #require(whole.section(named: "swift5_fieldmd"))
    #expect(FieldCatalog(image: whole, types: types).fields.count > 20)
    var random = TestSeed(12).generator
    for _ in 0..<40 {
      var damaged = bytes
      for _ in 0..<20 {
        let position = Int(section.offset) + Int.random(in: 0..<Int(section.size), using: &random)
        damaged[position] = [0, 1, 0x7f, 0xff].randomElement(using: &random) ?? 0
      }
      let image = try ElfImage(bytes: damaged)
      #expect(FieldCatalog(image: image, types: types).fields.count <= types.descriptors.count)
    }
  }
}
