// SPDX-License-Identifier: MIT

import EngineTestSupport
import Testing

@Suite(.serialized, .engine) enum EngineSuite {}
