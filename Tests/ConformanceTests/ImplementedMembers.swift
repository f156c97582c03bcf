// SPDX-License-Identifier: MIT

/// What this version does; everything else that is announced answers `NotSupported`.
///
/// Whoever implements a member adds it here: a test calls all members and compares.
enum ImplementedMembers {
    /// Methods and properties by interface, sorted.
    static let all: [String: [String]] = [
        "org.freedesktop.LogControl1": ["LogLevel", "LogTarget", "SyslogIdentifier"],
        "org.sentinel.Analytics1": [
            "DailySummary", "Durations", "Heatmap", "ListMetrics", "Query", "Report", "ReportText", "RunMetric",
            "Series", "Sessions", "Summary", "Top", "Trend",
        ],
        "org.sentinel.Application1": [
            "Build", "CommandLine", "Content", "DesktopEntry", "Executable", "Icon", "Id", "Instances", "Locale",
            "Localizations", "Name", "ProcessId", "Running", "Sandbox", "StartTime", "Unit", "Version",
        ],
        "org.sentinel.Device1": [
            "Architecture", "BatteryLevel", "BatteryState", "BootTime", "Chassis", "Content", "Desktop", "Identifier",
            "Kernel", "Locale", "MemoryTotal", "Model", "Name", "Processor", "ProcessorCount", "ProximityState",
            "SessionType", "SystemVersion", "TimeZone", "Vendor",
        ],
        "org.sentinel.Events1": [
            "ApplyRules", "Capturing", "Count", "Delete", "EventCount", "Export", "ExportText", "Forget", "Import",
            "Location", "MaxBytes", "Pause", "PausedUntil", "Query", "Record", "RecordBatch", "Resume",
            "RetentionDays", "Rules", "StorageBytes", "Subscribe", "Unsubscribe",
        ],
        "org.sentinel.Performance1": ["Content", "History", "Sample", "Unwatch", "Watch"],
        "org.sentinel.Preferences1": [
            "ApplyProfile", "Compare", "Declare", "DeleteProfile", "Explain", "Export", "Get", "GetAll", "History",
            "Import", "List", "Profile", "Profiles", "Remove", "Reset", "SaveProfile", "Set", "SetFor", "SetMany",
            "Undo", "Update",
        ],
        "org.sentinel.Sentinel1": [
            "AddTrigger", "Describe", "Dismiss", "Features", "Forget", "Health", "HealthDetails", "Inspect",
            "ListApplications", "ListTriggers", "PresentedApplications", "Register", "RemoveTrigger", "Show", "Toggle",
            "Trigger", "Unregister", "Version",
        ],
        "org.sentinel.Tools1": ["Content", "Declare", "Invoke", "List", "Remove", "Set", "Update"],
    ]

    /// How much of an interface is there.
    enum Extent: String {
        case whole = "complete"
        case part = "in part"
        case none = "announced"
    }

    /// What others implement and the service calls, or send and the service hears: all of it.
    private static let ofOthers: Set = ["org.sentinel.Notification", "org.sentinel.Provider1"]

    /// How much of an interface is there.
    static func extent(of interface: InterfaceModel) -> Extent {
        guard !ofOthers.contains(interface.name) else { return .whole }
        let present = all[interface.name] ?? []
        let announced = interface.members("method") + interface.members("property")
        return present.isEmpty ? .none : present.count == announced.count ? .whole : .part
    }
}
