// SPDX-License-Identifier: MIT

/// Why a manifest cannot be taken.
public struct ManifestProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where: a line for a syntax error, else the place of a member; empty for the whole file.
    public let place: String
    /// What is wrong.
    public let reason: String

    /// A problem at a place.
    public init(_ place: String, _ reason: String) {
        self.place = place
        self.reason = reason
    }

    /// Place and reason.
    public var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}

extension Manifest {
    /// The largest that a manifest may be, in bytes.
    public static let largestFile = 1 << 20

    /// How much a manifest may declare.
    public struct Limits: Sendable {
        /// Of preferences.
        public var preferences = PreferenceLimits.standard
        /// Of tools.
        public var tools = ToolLimits.standard
        /// How many triggers.
        public var triggers = 64

        /// The limits of the service, where nothing else is said.
        public init() {}
    }

    /// Reads a manifest.
    ///
    /// - Parameters:
    ///   - id: whose manifest it is by its file's name.
    ///   - limits: how much it may declare.
    /// - Throws: the first problem.
    public init(
        parsing bytes: [UInt8], of id: ApplicationID, limits: Limits = Limits()
    ) throws(ManifestProblem) {
        let json: JSONValue
        do throws(JSONSyntaxError) {
            json = try JSONValue(parsing: bytes)
        } catch {
            throw ManifestProblem("line \(error.line)", error.reason)
        }
        do throws(DeclarationProblem) {
            try self.init(json, of: id, limits)
        } catch {
            throw ManifestProblem(error.path, error.reason)
        }
    }

    private init(_ json: JSONValue, of id: ApplicationID, _ limits: Limits) throws(DeclarationProblem) {
        var reader = try DeclarationReader(json, at: "")
        var unknownMembers: [String] = []
        guard let applicationJSON = reader.value("application") else {
            throw reader.problem("application", "it is missing")
        }
        var application = try DeclarationReader(applicationJSON, at: "application")
        let text = try application.text("id")
        guard text.utf8.elementsEqual(id.text.utf8) else {
            throw application.problem("id", "the file's name is that of the application \(id)")
        }
        var description = Description()
        description.name = try application.optionalText("name")
        description.icon = try application.optionalText("icon")
        description.version = try application.optionalText("version")
        description.build = try application.optionalText("build")
        unknownMembers += application.unknownMembers

        var preferences: [Preference] = []
        for element in try reader.elements("preferences", limit: limits.preferences.preferences) {
            preferences.append(try Preference(element.json, at: element.path, limits.preferences, &unknownMembers))
        }
        var keys: Set<Name> = []
        for (index, preference) in preferences.enumerated() where !keys.insert(preference.declaration.key).inserted {
            throw DeclarationProblem("preferences[\(index)].key", "another preference has the same key")
        }
        var toolReader = ToolReader(.declaration, limits: limits.tools)
        let tools = try toolReader.tools(try reader.elements("tools", limit: limits.tools.tools))
        unknownMembers += toolReader.unknownMembers
        var triggers: [TriggerDeclaration] = []
        for element in try reader.elements("triggers", limit: limits.triggers) {
            triggers.append(try TriggerDeclaration(element.json, at: element.path, &unknownMembers))
        }
        self.init(
            application: id, description: description, preferences: preferences, tools: tools, triggers: triggers,
            unknownMembers: unknownMembers + reader.unknownMembers)
    }
}

extension Manifest.Preference {
    fileprivate init(
        _ json: JSONValue, at path: String, _ limits: PreferenceLimits, _ unknownMembers: inout [String]
    ) throws(DeclarationProblem) {
        guard case .object(var members) = json else { throw DeclarationProblem(path, "expected an object") }
        var reader = try DeclarationReader(json, at: path)
        storage = try reader.value("storage").map { (json) throws(DeclarationProblem) in
            try ManifestStorage(json, at: "\(path).storage", &unknownMembers)
        }
        for name in PreferenceDeclaration.memberNames {
            _ = reader.value(name)
        }
        unknownMembers += reader.unknownMembers
        try Self.noteChoices(reader.value("choices"), at: "\(path).choices", &unknownMembers)
        if storage != nil {
            members.removeAll { $0.key.utf8.elementsEqual("live".utf8) }
            members.append(("live", true))
        }
        do throws(SentinelError) {
            declaration = try PreferenceDeclaration(json: .object(members), limits: limits)
        } catch {
            throw DeclarationProblem(path, error.message, code: error.code)
        }
    }
}

extension Manifest.Preference {
    /// Notes the members of choices that mean nothing; what is wrong with choices is for the declaration to say.
    private static func noteChoices(
        _ json: JSONValue?, at path: String, _ unknownMembers: inout [String]
    ) throws(DeclarationProblem) {
        guard case .array(let elements)? = json else { return }
        for (index, element) in elements.enumerated() {
            guard case .object = element else { continue }
            var choice = try DeclarationReader(element, at: "\(path)[\(index)]")
            _ = (choice.value("value"), choice.value("title"))
            unknownMembers += choice.unknownMembers
        }
    }
}

extension ManifestStorage {
    fileprivate init(
        _ json: JSONValue, at path: String, _ unknownMembers: inout [String]
    ) throws(DeclarationProblem) {
        var reader = try DeclarationReader(json, at: path)
        let (settings, file) = (reader.value("gsettings"), reader.value("file"))
        unknownMembers += reader.unknownMembers
        switch (settings, file) {
        case (let settings?, nil):
            var reader = try DeclarationReader(settings, at: "\(path).gsettings")
            let (schema, key) = (try reader.text("schema"), try reader.text("key"))
            guard Self.isSchema(schema) else {
                throw reader.problem("schema", "expected the id of a schema, with :/path/ where it has none of its own")
            }
            guard Self.isSettingsName(key, also: []) else {
                throw reader.problem("key", "expected letters, digits and -, the first a letter")
            }
            self = .gsettings(schema: schema, key: key)
            unknownMembers += reader.unknownMembers
        case (nil, let file?):
            var reader = try DeclarationReader(file, at: "\(path).file")
            let (place, key) = (try reader.text("path"), try reader.text("key"))
            guard place.utf8.starts(with: "/".utf8) || place.utf8.starts(with: "~/".utf8) else {
                throw reader.problem("path", "expected an absolute path, or one that begins with ~/")
            }
            guard let format = FileFormat(rawValue: try reader.text("format")) else {
                throw reader.problem("format", "expected one of json, ini, env")
            }
            guard format.canHold(key) else {
                throw reader.problem("key", "expected a key that a file of the format \(format.rawValue) can have")
            }
            self = .file(path: place, format: format, key: key)
            unknownMembers += reader.unknownMembers
        default:
            throw DeclarationProblem(path, "expected one of gsettings, file")
        }
    }
}

extension ManifestStorage {
    /// Whether a text is a schema's id, or id and path with `:` between.
    private static func isSchema(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let id = parts.first, isSettingsName(String(decoding: id, as: UTF8.self), also: Array("._".utf8)) else {
            return false
        }
        guard parts.count > 1 else { return true }
        let path = String(decoding: parts[1], as: UTF8.self)
        return path.utf8.count > 1 && path.hasPrefix("/") && path.hasSuffix("/")
            && path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().dropLast()
                .allSatisfy { !$0.isEmpty }
    }

    private static func isSettingsName(_ text: String, also others: [UInt8]) -> Bool {
        text.utf8.first?.isASCIILetter == true && text.utf8.count <= 1024
            && text.utf8.allSatisfy { byte in
                byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || others.contains(byte)
            }
    }
}

extension ManifestStorage.FileFormat {
    /// Whether a key is found again where it has been written.
    fileprivate func canHold(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        switch self {
        case .json: return true
        case .env:
            let isName = bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
            return isName && bytes.first?.isASCIIDigit == false
        case .ini:
            let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
            let section = slash.map { bytes[..<$0] } ?? []
            let name = slash.map { bytes[($0 + 1)...] } ?? bytes[...]
            let isPadded = [section.first, section.last, name.first, name.last].contains(UInt8(ascii: " "))
            return !isPadded && !section.contains(UInt8(ascii: "]")) && !name.contains(UInt8(ascii: "="))
                && name.first.map { !"#;[".utf8.contains($0) } ?? false
        }
    }
}

extension TriggerDeclaration {
    fileprivate init(
        _ json: JSONValue, at path: String, _ unknownMembers: inout [String]
    ) throws(DeclarationProblem) {
        var reader = try DeclarationReader(json, at: path)
        let kind = try reader.name("kind")
        var options: [Name: PreferenceValue] = [:]
        if let json = reader.value("options") {
            guard case .object(let members) = json else { throw reader.problem("options", "expected an object") }
            var option = try DeclarationReader(json, at: "\(path).options")
            for (key, _) in members {
                let name: Name
                do throws(SentinelError) {
                    name = try Name(key, as: "option")
                } catch {
                    throw reader.problem("options", error.message)
                }
                options[name] = try option.optionalScalar(key)
            }
        }
        unknownMembers += reader.unknownMembers
        self.init(kind: kind, options: options)
    }
}
