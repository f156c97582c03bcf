// SPDX-License-Identifier: MIT

/// The control group of a process in the hierarchy of version 2 (cgroups(7), `/proc/PID/cgroup`).
public struct ControlGroup: Hashable, Sendable {
    /// Path below the hierarchy's root, such as `/user.slice/user-1000.slice/session-2.scope`.
    public let path: String

    /// The group at a path.
    public init(path: String) {
        self.path = path
    }

    /// The systemd unit that the path names; nil if there is none.
    ///
    /// As sd_pid_get_user_unit(3) and sd_pid_get_unit(3) have it, that is the unit of the user's manager, else of the
    /// machine's: below its slices, the first service or scope; groups further down are the unit's own affair, and may
    /// be another manager's, such as a container's. Where there are only slices it is the innermost.
    public var unit: SystemdUnit? {
        var parts = path.utf8.split(separator: UInt8(ascii: "/")).compactMap { Substring($0) }[...]
        guard var unit = SystemdUnit.first(in: &parts, isUserUnit: false) else { return nil }
        if unit.kind == .service, unit.name.begins(with: "user@"),
            let inner = SystemdUnit.first(in: &parts, isUserUnit: true)
        {
            unit = inner
        }
        return unit
    }

    /// Path of the hierarchy version 2 in a whole file; an empty one where systemd, or all, is in version 1; nil if the
    /// file is none.
    static func parse(_ file: ByteScanner) -> ControlGroup? {
        var lines = file
        var path = ""
        var isHybrid = false
        while var line = lines.nextLine() {
            guard let hierarchy = line.digits(), line.skip(":"),
                let controllers = line.next(before: UInt8(ascii: ":"))
            else { return nil }
            if hierarchy == 0, controllers.isAtEnd {
                path = line.text
            } else if controllers.rest.elementsEqual("name=systemd".utf8) {
                isHybrid = true
            }
        }
        return ControlGroup(path: isHybrid ? "" : DeletedMark.path(in: path) ?? path)
    }
}
