// SPDX-License-Identifier: MIT

/// Where the program of a process is (`/proc/PID/exe`, proc(5)).
public struct ExecutablePath: Hashable, Sendable {
    /// Absolute path of the program, as the process's own root has it.
    public let path: String

    /// Whether the program was deleted or replaced since the process started it. The kernel marks that by ` (deleted)`
    /// after the path, so that a program which is really called so counts as deleted.
    public let isDeleted: Bool

    /// What the link's text means.
    init(link: String) {
        let deleted = DeletedMark.path(in: link)
        isDeleted = deleted != nil
        path = deleted ?? link
    }
}
