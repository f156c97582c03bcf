// SPDX-License-Identifier: MIT

/// What a process does at the moment, as `/proc/PID/stat` tells by a letter (proc(5)).
public enum ProcessState: Hashable, Sendable {
    /// Runs or could run (`R`).
    case running
    /// Waits for something and can be woken by a signal (`S`).
    case sleeping
    /// Waits for a device and cannot be woken (`D`).
    case waiting
    /// Stopped by a signal (`T`).
    case stopped
    /// Stopped by a debugger (`t`).
    case traced
    /// Ended; its parent has not noticed yet (`Z`).
    case zombie
    /// Ended (`X`).
    case dead
    /// A kernel thread that has nothing to do (`I`).
    case idle
    /// Another one, with its letter's ASCII code.
    case other(UInt8)

    init(letter: UInt8) {
        self =
            switch letter {
            case UInt8(ascii: "R"): .running
            case UInt8(ascii: "S"): .sleeping
            case UInt8(ascii: "D"): .waiting
            case UInt8(ascii: "T"): .stopped
            case UInt8(ascii: "t"): .traced
            case UInt8(ascii: "Z"): .zombie
            case UInt8(ascii: "X"), UInt8(ascii: "x"): .dead
            case UInt8(ascii: "I"): .idle
            default: .other(letter)
            }
    }
}
