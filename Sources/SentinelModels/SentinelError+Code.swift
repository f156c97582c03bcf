// SPDX-License-Identifier: MIT

extension SentinelError {
    /// A kind of failure. More can be made from bus error names, such as one that a provider answers with.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// Name of the D-Bus error that carries it.
        public let busName: String

        /// The code that a bus error name stands for, also of one that Sentinel does not know.
        public init(busName: String) {
            self.busName = busName
        }

        /// Exit code of a command that fails with it, after `sysexits(3)`; 70 (a defect) for one that is not known.
        public var exitCode: Int32 {
            Self.exitCodes[self] ?? 70
        }

        public var description: String { busName }

        private static let exitCodes = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0.exitCode) })
    }
}

extension SentinelError.Code {
    // The standard errors.
    /// A failure without a name of its own, such as a defect.
    public static let failed = standard("Failed")
    /// An argument has the wrong type or is out of range.
    public static let invalidArgs = standard("InvalidArgs")
    /// No such method.
    public static let unknownMethod = standard("UnknownMethod")
    /// No such object.
    public static let unknownObject = standard("UnknownObject")
    /// The object has no such interface.
    public static let unknownInterface = standard("UnknownInterface")
    /// The interface has no such property.
    public static let unknownProperty = standard("UnknownProperty")
    /// The property cannot be set.
    public static let propertyReadOnly = standard("PropertyReadOnly")
    /// The caller may not do this.
    public static let accessDenied = standard("AccessDenied")
    /// Too much at once, or too many.
    public static let limitsExceeded = standard("LimitsExceeded")
    /// Possible in principle, not here.
    public static let notSupported = standard("NotSupported")
    /// It took too long.
    public static let timeout = standard("Timeout")
    /// No such process.
    public static let unixProcessIDUnknown = standard("UnixProcessIdUnknown")

    // Sentinel's own.
    /// No application of that id is known.
    public static let unknownApplication = own("UnknownApplication")
    /// The application has no such tool.
    public static let unknownTool = own("UnknownTool")
    /// The tool has no such item.
    public static let unknownItem = own("UnknownItem")
    /// The tool has no such action.
    public static let unknownAction = own("UnknownAction")
    /// The application has no such preference.
    public static let unknownPreference = own("UnknownPreference")
    /// The application has no such profile.
    public static let unknownProfile = own("UnknownProfile")
    /// The history has no such change.
    public static let unknownChange = own("UnknownChange")
    /// No such trigger.
    public static let unknownTrigger = own("UnknownTrigger")
    /// The caller has no such watch.
    public static let unknownWatch = own("UnknownWatch")
    /// The caller has no such subscription.
    public static let unknownSubscription = own("UnknownSubscription")
    /// No such metric.
    public static let unknownMetric = own("UnknownMetric")
    /// A value that its declaration does not allow.
    public static let invalidValue = own("InvalidValue")
    /// The value cannot be changed where it is.
    public static let readOnly = own("ReadOnly")
    /// Something else has changed it since.
    public static let conflict = own("Conflict")
    /// A rule keeps it from being stored.
    public static let denied = own("Denied")
    /// What it needs is not there at the moment.
    public static let unavailable = own("Unavailable")
    /// The disk is full.
    public static let storageFull = own("StorageFull")
    /// The database is damaged.
    public static let storageDamaged = own("StorageDamaged")
    /// Capture is paused.
    public static let paused = own("Paused")
    /// The provider did not answer in time.
    public static let providerTimeout = own("ProviderTimeout")
    /// The provider left the bus.
    public static let providerGone = own("ProviderGone")

    /// Every code with the exit code of a command that fails with it: the one table of both.
    static let all: [(code: Self, exitCode: Int32)] = [
        (failed, 70),  // EX_SOFTWARE
        (invalidArgs, 64),  // EX_USAGE
        (unknownMethod, 76),  // EX_PROTOCOL
        (unknownObject, 76),
        (unknownInterface, 76),
        (unknownProperty, 76),
        (propertyReadOnly, 77),  // EX_NOPERM
        (accessDenied, 77),
        (limitsExceeded, 75),  // EX_TEMPFAIL
        (notSupported, 69),  // EX_UNAVAILABLE
        (timeout, 75),
        (unixProcessIDUnknown, 66),  // EX_NOINPUT
        (unknownApplication, 66),
        (unknownTool, 66),
        (unknownItem, 66),
        (unknownAction, 66),
        (unknownPreference, 66),
        (unknownProfile, 66),
        (unknownChange, 66),
        (unknownTrigger, 66),
        (unknownWatch, 66),
        (unknownSubscription, 66),
        (unknownMetric, 66),
        (invalidValue, 65),  // EX_DATAERR
        (readOnly, 77),
        (conflict, 75),
        (denied, 77),
        (unavailable, 69),
        (storageFull, 74),  // EX_IOERR
        (storageDamaged, 74),
        (paused, 75),
        (providerTimeout, 75),
        (providerGone, 69),
    ]

    private static func standard(_ name: String) -> Self {
        Self(busName: "org.freedesktop.DBus.Error.\(name)")
    }

    private static func own(_ name: String) -> Self {
        Self(busName: "org.sentinel.Error.\(name)")
    }
}
