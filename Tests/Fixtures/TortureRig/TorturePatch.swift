// SPDX-License-Identifier: MIT

import TortureFixture

/// The text of a patch of one generation.
struct TorturePatch {
  let name: String
  let generation: Int
  let kinds: Set<TortureKind>
  /// Whether its overrides do not call their originals.
  let isLid: Bool
  /// Whether it is loaded into several Lua states.
  var isParallel = false
  /// See `Generation`; nil: its own number.
  var place: Int?

  /// `n` calls deep there is no result to put a digit on.
  static let withoutTrace: Set<TortureKind> = [.descend]
  /// A function that waits or recurses has to do so.
  static let neverLidded: Set<TortureKind> = [.descend, .nested, .blocks, .holds]

  var text: String {
    let manifest = isParallel ? "patch { parallel = true }\n" : ""
    let head = """
      local S, M = class "TortureFixture.TortureSubject", module "TortureFixture"
      local Token, Fault = class "TortureFixture.TortureToken", class "TortureFixture.TortureFault"
      local Ledger = class "TortureFixture.TortureLedger"
      local Shop, P = class "TorturePlain.TortureShop", module "TorturePlain"
      local G, kept = \(generation), {}
      Token:field("marks", 0)
      Token:field("ring")

      """
    let lamp = kinds.contains(.lamp) ? Self.lamp : ""
    let overrides = kinds.sorted { $0.rawValue < $1.rawValue }.map { kind in
      "local K = \(kind.rawValue)\n" + (isLid ? lid(kind) : layer(kind))
    }
    return manifest + head + lamp + overrides.map { "do \($0) end" }.joined(separator: "\n")
  }

  /// A class whose objects outlive the patch, and hold themselves through a function.
  private static let lamp = """
    local Lamp = class("Lamp", class "TortureFixture.TortureLamp", { "TortureFixture.TortureGlow" })
    function Lamp:init(trace)
      self.super:init(trace)
      self.made = G
      self.me = function() return self.made end
    end
    -- A version that takes an object over does not have the fields of the one before.
    local function made(self) return self.me and self.me() or self.trace % 2048 end
    function Lamp:shine() return made(self) .. ":" .. G .. "." .. self.super:shine() end
    function Lamp:glow() return made(self) .. ":" .. G .. "." end
    function Lamp:deinit() self.made = 0 end

    """

  private func layer(_ kind: TortureKind) -> String {
    switch kind {
    case .number, .generic, .blocks, .later:
      "function S:\(kind)(n) Ledger.note(K, G) return self:ORIG\(kind)(n) * 4096 + G end"
    case .text:
      "function S:text(s) Ledger.note(K, G) return G .. ' ' .. self:ORIGtext(s) end"
    case .token:
      """
      function S:token(t)
        Ledger.note(K, G)
        local made = self:ORIGtoken(t)
        made.trace = made.trace * 4096 + G
        t.marks = t.marks + 1
        kept[t.marks % 4 + 1] = made
        made.ring = { t, made }
        t.ring = made.echo and made or t
        made.echo = function() return t.marks + made.trace end
        if t.echo then t.echo() end
        return made
      end
      """
    case .risky:
      """
      function S:risky(n)
        Ledger.note(K, G)
        local ok, result = pcall(self.ORIGrisky, self, n)
        if ok then return result * 4096 + G end
        throw(Fault(result.trace * 4096 + G))
      end
      """
    case .apply:
      """
      function S:apply(body, n)
        Ledger.note(K, G)
        return self:ORIGapply(function(x) return body(x) end, n) * 4096 + G
      end
      """
    case .descend:
      "function S:descend(n) Ledger.note(K, G) return self:ORIGdescend(n) end"
    case .nested:
      """
      function S:nested(sink)
        Ledger.note(K, G)
        sink:add(self:number(2))
        return self:ORIGnested(sink) * 4096 + G
      end
      """
    case .late:
      "function M.tortureLate(n) Ledger.note(K, G) return M.ORIGtortureLate(n) * 4096 + G end"
    case .plain, .holds:
      "function Shop:\(kind)(n) Ledger.note(K, G) return self:ORIG\(kind)(n) * 4096 + G end"
    case .rule:
      "P['\(kind.selector)'] = function(n) Ledger.note(K, G) return original(n) * 4096 + G end"
    case .route:
      """
      P['\(kind.selector)'] = function(n)
        Ledger.note(K, G)
        local ok, result = pcall(original, n)
        if ok then return result * 4096 + G end
        throw(Fault(result.trace * 4096 + G))
      end
      """
    case .lamp:
      "function S:lamp(n) Ledger.note(K, G) return Lamp(self:ORIGlamp(n).trace * 4096 + G) end"
    }
  }

  private func lid(_ kind: TortureKind) -> String {
    switch kind {
    case .number, .generic, .later:
      "function S:\(kind)(n) Ledger.note(K, G) return G + 2048 end"
    case .plain:
      "function Shop:plain(n) Ledger.note(K, G) return G + 2048 end"
    case .rule:
      "P['\(kind.selector)'] = function(n) Ledger.note(K, G) return G + 2048 end"
    case .route:
      """
      P['\(kind.selector)'] = function(n)
        Ledger.note(K, G)
        if n % 2 == 1 then throw(Fault(G + 2048)) end
        return G + 2048
      end
      """
    case .text:
      "function S:text(s) Ledger.note(K, G) return (G + 2048) .. ' [' .. s .. ']' end"
    case .token:
      """
      function S:token(t)
        Ledger.note(K, G)
        local made = Token(t)
        made.trace = G + 2048
        return made
      end
      """
    case .risky:
      """
      function S:risky(n)
        Ledger.note(K, G)
        if n % 2 == 1 then throw(Fault(G + 2048)) end
        return G + 2048
      end
      """
    case .apply:
      "function S:apply(body, n) Ledger.note(K, G) body(n) return G + 2048 end"
    case .late:
      "function M.tortureLate(n) Ledger.note(K, G) return G + 2048 end"
    case .lamp:
      "function S:lamp(n) Ledger.note(K, G) return Lamp(G + 2048) end"
    case .descend, .nested, .blocks, .holds:
      ""
    }
  }
}
