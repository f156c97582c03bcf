// SPDX-License-Identifier: MIT

import DBus
import SentinelModels

/// What two events must have in common to be partners.
struct PairKey: Hashable {
    let pair: EventPair
    let source: Name
    /// The instance that they are of; nil where it is none.
    var client: BusName?
    /// Which of several scenes of an instance they are of.
    var scene = DataKey("")
}
