// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
package import WaxwingReflection

/// The types of a file's own that have patch points, and whose values are opaque because the optimizer has dropped
/// their descriptions.
package struct OpaqueOwners {
  /// How many patch points each has.
  private let counts: [NominalType: Int]
  /// The modules of the program itself, which come first.
  private let own: Set<String>

  /// - Parameter program: The file's name, which is often that of the program's module.
  package init(of catalog: PatchPointCatalog, in image: ElfImage, program: String = "") {
    let modules = Set(catalog.points.map(\.declaration.module))
    let owners = catalog.points.compactMap(\.declaration.context.memberOf?.unbound)
      .filter { modules.contains($0.module ?? "") }
    let known = try? TypeDescriptorCatalog(image: image)
    let opaque = known?.opaque(of: Set(owners), in: image) ?? []
    counts = owners.filter(opaque.contains).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    let mains = catalog.points.map(\.declaration).filter {
      $0.isStatic && ["main", "$main"].contains($0.baseName)
    }
    let name = String(program.map { $0 == "-" ? "_" : $0 })
    own = Set(mains.map(\.module)).union(modules.filter { $0 == name })
  }

  /// The names of the modules: the program's own first, then by the number of their functions.
  package var names: [String] {
    counts.sorted { a, b in
      let (first, second) = (own.contains(a.key.module ?? ""), own.contains(b.key.module ?? ""))
      if first != second { return first }
      return (-a.value, a.key.qualifiedName) < (-b.value, b.key.qualifiedName)
    }
    .map(\.key.qualifiedName)
  }

  /// The parts of a function that cross as opaque values for that reason; nil if its `self` does
  /// not.
  func note(on declaration: FunctionDeclaration) -> String? {
    guard let type = declaration.context.memberOf?.unbound, counts[type] != nil,
      !declaration.isStatic || declaration.isInitializer
    else { return nil }
    let result = declaration.isInitializer ? " and the result" : ""
    let name = type.qualifiedName
    return
      "`self`\(result); the optimizer has dropped the description of \(name): \(Self.remedy(name))"
  }

  /// What keeps the description of a type in a program.
  package static func remedy(_ name: String) -> String {
    "passing `\(name).self` as an `Any.Type`, as in `print(\(name).self)`, keeps it, `-enable-testing` those of a module"
  }
}
