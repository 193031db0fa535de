// SPDX-License-Identifier: MIT

import Testing
import WaxwingInterception

/// All that calls or overrides functions of the fixture, one test at a time: they share the
/// fixture's patch points.
@Suite(.serialized, .enabled(if: Invocation.isSupported))
struct FixtureTests {}
