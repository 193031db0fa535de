// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
package import WaxwingReflection
internal import WaxwingValues

extension NameResolver {
  /// The protocol of this name, with or without its module. The program's own come before those of the
  /// standard library, these before other libraries'.
  package func protocolNamed(_ name: String) throws(NameError) -> RunningProtocol {
    let own = program.ownProtocols.filter { !ModuleNames.isEngine($0.nominal.rootModule ?? "") }
    let all = program.protocols
    let standard = all.filter { ModuleNames.isStandard($0.nominal.rootModule ?? "") }
    for candidates in [own, standard, all] {
      for found in [
        candidates.filter { $0.name == name }, candidates.filter { $0.name.hasSuffix("." + name) },
      ] {
        let names = Set(found.map(\.name))
        if names.count > 1 { throw .ambiguous(name, names.map { "\"\($0)\"" }) }
        if let first = found.first { return first }
      }
    }
    throw unknownProtocol(name, own, standard)
  }

  private func unknownProtocol(
    _ name: String, _ own: [RunningProtocol], _ standard: [RunningProtocol]
  ) -> NameError {
    let last = String(name.split(separator: ".").last ?? "")
    func near(_ candidates: [RunningProtocol]) -> [String] {
      let short = Set(candidates.map { String($0.name.split(separator: ".").last ?? "") })
      return Suggestions.nearest(to: last, in: short)
    }
    let nearest = near(own) + near(standard)
    return .unknown(
      "\(program.name) has no protocol `\(name)`", near: Array(nearest.uniqued.prefix(3)))
  }
}
