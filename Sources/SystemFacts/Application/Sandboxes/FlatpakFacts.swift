// SPDX-License-Identifier: MIT

/// What `.flatpak-info` says of a sandbox (flatpak-metadata(5), flatpak-run(1)).
public struct FlatpakFacts: Sendable {
    /// What the sandbox may do in one respect.
    public struct Permission: Hashable, Sendable {
        /// `shared`, `sockets`, `devices`, `features`, `filesystems`, `persistent`, `session-bus` or `system-bus`.
        public let name: String
        /// What is allowed, sorted: for buses `name=policy`.
        public let values: [String]
    }

    /// Id of the application.
    public let application: String
    /// Runtime, such as `runtime/org.gnome.Platform/x86_64/46`.
    public let runtime: String?
    /// Branch of the application, such as `stable`.
    public let branch: String?
    /// Architecture.
    public let architecture: String?
    /// Commit of the application that is installed.
    public let applicationCommit: String?
    /// Commit of the runtime.
    public let runtimeCommit: String?
    /// Number of the running sandbox.
    public let instanceID: String?
    /// Version of Flatpak that started it.
    public let flatpakVersion: String?
    /// Whether its session bus is that of `xdg-dbus-proxy`.
    public let usesSessionBusProxy: Bool
    /// Permissions that it has, those without values left out. Variables that are set for it are not among them: they may
    /// hold secrets.
    public let permissions: [Permission]

    /// What a file says.
    /// - Parameter application: the id, as ``SandboxProbe`` found it in the same file.
    init(_ file: KeyFile, application: String) {
        func text(_ key: String, in group: String) -> String? {
            file.text(key, in: group).flatMap { $0.isEmpty ? nil : $0 }
        }
        self.application = application
        runtime = text("runtime", in: "Application") ?? text("runtime", in: "Runtime")
        branch = text("branch", in: "Instance")
        architecture = text("arch", in: "Instance")
        applicationCommit = text("app-commit", in: "Instance")
        runtimeCommit = text("runtime-commit", in: "Instance")
        instanceID = text("instance-id", in: "Instance").flatMap { FlatpakInstance.isID($0) ? $0 : nil }
        flatpakVersion = text("flatpak-version", in: "Instance")
        usesSessionBusProxy = file.flag("session-bus-proxy", in: "Instance") ?? false
        let context = ["shared", "sockets", "devices", "features", "filesystems", "persistent"].map { key in
            Permission(name: key, values: Self.sorted((file.list(key, in: "Context") ?? []).filter { !$0.isEmpty }))
        }
        let buses = [("session-bus", "Session Bus Policy"), ("system-bus", "System Bus Policy")].map { name, group in
            Permission(name: name, values: file.keys(in: group).map { "\($0)=\(file.text($0, in: group) ?? "")" })
        }
        permissions = (context + buses).filter { !$0.values.isEmpty }
    }

    private static func sorted(_ texts: [String]) -> [String] {
        texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
