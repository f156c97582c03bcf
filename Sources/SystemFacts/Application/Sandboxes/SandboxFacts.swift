// SPDX-License-Identifier: MIT

/// What confines a process, with what is known of the sandbox.
public enum SandboxFacts: Sendable {
    /// Nothing that is known here.
    case none
    /// Flatpak.
    case flatpak(FlatpakFacts)
    /// Snap.
    case snap(SnapFacts)
    /// Something that keeps its own facts from us.
    case unidentified

    /// The facts of a process's sandbox.
    ///
    /// The process is identified as ``SandboxProbe/sandbox(of:securityLabel:)`` does it. Where no label tells of a snap,
    /// a process whose `SNAP_…` variables fit the place of its executable counts as one of it: for what is shown, not for
    /// what is allowed.
    /// - Throws: `absent` where the process has ended; `malformed` where its `.flatpak-info` cannot be read.
    public static func facts(
        of process: ObservedProcess, securityLabel: String?, snapDirectories: [String] = SnapFacts.defaultDirectories
    ) throws(FactError) -> SandboxFacts {
        let findings: (sandbox: Sandbox, flatpakInfo: String?)
        do throws(SandboxProbe.Failure) {
            findings = try SandboxProbe.inspect(process.processID, securityLabel: securityLabel)
        } catch {
            switch error {
            case .processGone: throw FactError(.absent, "the process has ended")
            case .outOfDescriptors: throw FactError(.failed, "there is no file descriptor left")
            }
        }
        switch findings.sandbox {
        case .flatpak(let application):
            return .flatpak(FlatpakFacts(try KeyFile((findings.flatpakInfo ?? "").utf8), application: application))
        case .snap(let name):
            return .snap(try SnapFacts(name, process: process, directories: snapDirectories))
        case .none:
            guard let name = SnapFacts.name(of: process, directories: snapDirectories) else { return .none }
            return .snap(try SnapFacts(name, process: process, directories: snapDirectories))
        case .unidentified:
            return .unidentified
        }
    }

    /// The number of the Flatpak instance that a process is in; nil where it is in none or has ended.
    public static func flatpakInstanceID(of processID: Int32) -> String? {
        do {
            let findings = try SandboxProbe.inspect(processID, securityLabel: nil)
            guard case .flatpak(let application) = findings.sandbox else { return nil }
            return FlatpakFacts(try KeyFile((findings.flatpakInfo ?? "").utf8), application: application).instanceID
        } catch {
            // A process that has ended, or cannot be looked at, is in no instance that is known.
            return nil
        }
    }
}
