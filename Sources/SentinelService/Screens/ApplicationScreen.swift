// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces
import SentinelModels
import SystemFacts

/// The screen Application: the standard facts, then everything that was found, sorted.
enum ApplicationScreen {
    /// The screen of a known application.
    static func sections(_ application: KnownApplication, _ profile: ProcessProfile) -> [Section] {
        let standard = Section(
            "application", "Application",
            [
                .fact("id", "Id", application.id.text),
                .fact("name", "Name", application.name),
                .fact("version", "Version", given(application.version), otherwise: notGiven),
                .fact("build", "Build", given(application.build), otherwise: notGiven),
                .fact("icon", "Icon", given(application.icon), otherwise: notGiven),
                .fact("running", "Running", application.isRunning),
                .fact("instances", "Instances", Int64(application.instances.count)),
            ])
        return [standard] + sections(profile)
    }

    /// The screen of any process.
    static func sections(_ profile: ProcessProfile) -> [Section] {
        var sections: [Section] = []
        if let status = profile.status {
            sections.append(Section("process", "Process", items(status)))
        }
        if let metadata = profile.metadata {
            sections.append(Section("found", "Found", found(metadata).sorted { Key($0.id) < Key($1.id) }))
        }
        return sections
    }

    private static let notGiven = "the application has not given one"

    private static func given(_ text: String) -> String? {
        text.isEmpty ? nil : text
    }

    private static func items(_ status: Fact<ProcessStatus>) -> [Item] {
        guard let process = status.value else {
            return [.fact("process", "Process", status.map(\.name))]
        }
        return [
            .fact("process_id", "Process id", Int64(process.processID)),
            .fact("process_name", "Process name", process.name),
            .fact("parent_process_id", "Parent process id", Int64(process.parentID)),
            .fact("user_id", "User id", process.userID),
            .fact("executable", "Executable", process.executable.map(\.path)),
            .fact("executable_deleted", "Executable was deleted", process.executable.map(\.isDeleted)),
            .fact("command_line", "Command line", process.commandLine.map { $0.arguments.joined(separator: " ") }),
            .fact("working_directory", "Working directory", process.workingDirectory),
            .fact(
                "start_time", "Started",
                process.startTime.map { Timestamp(clamping: $0).description }),
            unit(process.controlGroup),
            .fact("control_group", "Control group", process.controlGroup.map(\.path)),
            .fact(
                "foreign_namespaces", "Namespaces of its own",
                process.foreignNamespaces.map { $0.joined(separator: ", ") }),
            .fact("security_label", "Security label", process.securityLabel),
        ]
    }

    private static func unit(_ group: Fact<ControlGroup>) -> Item {
        switch group {
        case .success(let group):
            .fact("unit", "Unit", group.unit?.name, otherwise: "the control group names no unit of systemd")
        case .failure: .fact("unit", "Unit", group.map(\.path))
        }
    }

    /// What was found, and what was looked for in vain with the reason.
    private static func found(_ metadata: ApplicationMetadata) -> [Item] {
        let looked: [(id: String, title: String, error: FactError?)] = [
            ("desktop_entry", "Desktop entry", metadata.desktopEntry.error),
            ("metainfo", "AppStream metadata", metadata.appStream.error),
            ("sandbox", "Sandbox", metadata.sandbox.error),
        ]
        let missing = looked.compactMap { entry in
            entry.error.map { Item.absent(entry.id, entry.title, because: $0.description) }
        }
        return metadata.facts.map(item) + missing
    }

    private static func item(_ fact: ApplicationFact) -> Item {
        let title = title(fact.key)
        let source = "source: \(fact.source)"
        return switch fact.value {
        case .text(let text): .fact(fact.key, title, text, description: source)
        case .list(let texts): .fact(fact.key, title, texts.joined(separator: ", "), description: source)
        case .flag(let flag): .fact(fact.key, title, flag, description: source)
        }
    }

    /// A title made of a key: `desktop_entry.generic_name` is "Desktop entry: generic name".
    private static func title(_ key: String) -> String {
        let groups = key.split(separator: ".").map { $0.split(separator: "_").joined(separator: " ") }
        let words = groups.joined(separator: ": ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}

extension SandboxFacts {
    /// The name that `Application1.Sandbox` gives the kind of sandbox; nil for one that hides what it is.
    var name: String? {
        switch self {
        case .none: "none"
        case .flatpak: "flatpak"
        case .snap: "snap"
        case .unidentified: nil
        }
    }
}
