// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// The output of `waxwing points --json`.
struct PointsDocument: Encodable {
  /// One point of the list; unknown values are null.
  struct Point: Encodable {
    let selector, declaration, form, symbol, module, owner, kind: String
    let type: String?
    let `static`, async: Bool
    let parameters: [String]
    let refused: String?
    let opaque: String?
    /// Left out if there is none.
    let note: String?
    let source: String?
    /// Of closures, where they are known: the place by which a patch may name one, and what it has captured.
    let place, captures: String?
    /// A patch for this point alone, with `--patch`.
    let patch: String?

    private enum Key: String, CodingKey {
      case selector, declaration, form, symbol, module, owner, kind, type, `static`, async,
        parameters, refused, opaque, note, source, place, captures, patch
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(selector, forKey: .selector)
      try container.encode(declaration, forKey: .declaration)
      try container.encode(form, forKey: .form)
      try container.encode(symbol, forKey: .symbol)
      try container.encode(module, forKey: .module)
      try container.encode(owner, forKey: .owner)
      try container.encode(kind, forKey: .kind)
      try container.encode(type, forKey: .type)
      try container.encode(`static`, forKey: .static)
      try container.encode(async, forKey: .async)
      try container.encode(parameters, forKey: .parameters)
      try container.encode(refused, forKey: .refused)
      try container.encode(opaque, forKey: .opaque)
      try container.encodeIfPresent(note, forKey: .note)
      try container.encodeIfPresent(source, forKey: .source)
      try container.encodeIfPresent(place, forKey: .place)
      try container.encodeIfPresent(captures, forKey: .captures)
      try container.encodeIfPresent(patch, forKey: .patch)
    }
  }

  let program: String
  /// Whether it was checked which points can be overridden.
  let checked: Bool
  let unchecked: String?
  let points: [Point]

  private enum Key: String, CodingKey { case program, checked, unchecked, points }

  init(_ listing: PointsListing, _ points: [ListedPoint], withPatches: Bool) {
    program = listing.program
    checked = listing.unchecked == nil
    unchecked = listing.unchecked
    self.points = points.map { point in
      let isPatched = withPatches && point.refusal == nil
      return Point(
        selector: point.selector, declaration: point.declaration, form: point.form,
        symbol: point.symbol, module: point.module, owner: point.owner.expression,
        kind: point.kind.rawValue, type: point.owner.isType ? point.owner.title : nil,
        static: point.isStatic, async: point.isAsync, parameters: point.parameters,
        refused: point.refusal, opaque: point.opaque, note: point.note, source: point.source,
        place: point.place, captures: point.captures,
        patch: isPatched
          ? PassThroughPatch(listing: listing, points: [point]).text + "\n" : nil)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(program, forKey: .program)
    try container.encode(checked, forKey: .checked)
    try container.encode(unchecked, forKey: .unchecked)
    try container.encode(points, forKey: .points)
  }
}
