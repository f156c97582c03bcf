// SPDX-License-Identifier: MIT

/// Tells from the growth of the write-ahead log what is to be done about it.
struct LogGauge {
    enum Advice {
        case nothing
        /// Copy the log beside the writing path.
        case checkpoint
        /// Begin the log anew on the writing path: beside a writer that never rests, copying alone never gets to the
        /// end.
        case restart
    }

    /// Size at which the log is begun anew.
    let limit: Int

    private var lastSize = 0
    private var nextCheckpoint = Self.step
    private var nextRestart: Int

    /// Growth that calls for the next attempt, so that a reader who keeps the log long does not cause one at each
    /// commit.
    private static let step = 4 << 20

    init(limit: Int) {
        self.limit = limit
        nextRestart = limit
    }

    /// What to do after a commit that left a log of that many bytes.
    mutating func advice(at size: Int) -> Advice {
        if size < lastSize {
            nextCheckpoint = Self.step
            nextRestart = limit
        }
        lastSize = size
        if size >= nextRestart {
            nextRestart = size + Self.step
            return .restart
        }
        if size >= nextCheckpoint {
            nextCheckpoint = size + Self.step
            return .checkpoint
        }
        return .nothing
    }
}
