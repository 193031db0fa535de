// SPDX-License-Identifier: MIT

/// What debugging information tells of the program's closures.
extension RunningProgram {
  /// What it tells of one closure; nil: nothing. The unit that has the closure is read the first time.
  package func describedClosure(_ closure: ProgramClosure) -> DescribedClosure? {
    guard let facts = facts(of: closure) else { return nil }
    return facts.closure(closure.symbol)
  }

  /// What it tells of many closures, in their order. Where there is more than one, all debugging information is read
  /// the first time.
  /// - Parameter reading: Runs what reads it.
  package func describedClosures(
    _ closures: [ProgramClosure], reading: (() -> Void) -> Void = { $0() }
  ) -> [DescribedClosure?] {
    if closures.count == 1 {
      var described: DescribedClosure?
      reading { described = describedClosure(closures[0]) }
      return [described]
    }
    let facts = closures.map(facts(of:))
    var images: [ObjectIdentifier: ImageFacts] = [:]
    for case let facts? in facts { images[ObjectIdentifier(facts)] = facts }
    reading { for image in images.values { _ = image.closures } }
    return zip(closures, facts).map { $1?.closures[$0.symbol] }
  }

  private func facts(of closure: ProgramClosure) -> ImageFacts? {
    closure.pointers.first.flatMap { image(at: $0.address) }.flatMap { facts[$0.image] }
  }
}
