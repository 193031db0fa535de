// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingControl

extension PointEntry {
  init(_ point: PointDescription, refusal: String?) {
    let isMember = if case .type = point.owner { true } else { false }
    self.init(
      symbol: point.symbol, selector: point.selector, declaration: point.declaration,
      module: point.module, owner: point.owner.name, ownerTitle: point.ownerTitle,
      isMember: isMember, kind: point.isClosure ? .closure : Kind(point.kind),
      isStatic: point.isStatic,
      isAsync: point.isAsync, member: point.member, parameters: point.parameters,
      mayHideParts: point.mayHideParts ? true : nil,
      isThrowing: point.isThrowing ? true : nil, refusal: refusal,
      opaque: refusal == nil ? point.opaque : nil,
      note: refusal == nil ? point.note : nil)
    (place, captures) = (point.place, point.captures)
    missed = refusal == nil ? point.missed : nil
  }
}

extension PointEntry.Kind {
  init(_ kind: MemberKind?) {
    switch kind {
    case .method?: self = .function
    case .getter?: self = .getter
    case .setter?: self = .setter
    case .willSet?: self = .willSet
    case .didSet?: self = .didSet
    case nil: self = .other
    }
  }
}
