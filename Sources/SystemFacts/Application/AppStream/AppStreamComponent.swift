// SPDX-License-Identifier: MIT

/// The elements of a metadata file that are looked at.
struct AppStreamComponent {
    private(set) var id: String?
    /// Ids under which it was known, and that of its desktop entry.
    private(set) var otherIDs: [String] = []
    private(set) var type: String?
    private(set) var name = LocalizedText()
    private(set) var summary = LocalizedText()
    /// `<developer><name>`, and `<developer_name>` of older files.
    private(set) var developer = LocalizedText()
    private(set) var developerName = LocalizedText()
    private(set) var projectLicense: String?
    private(set) var metadataLicense: String?
    private(set) var latestRelease: AppStreamMetadata.Release?
    private(set) var addresses: [String: String] = [:]
    private(set) var contentRating: String?
    private(set) var gettextDomains: [String] = []
    private(set) var languages: [LocaleName: Int?] = [:]

    /// The longest text that is taken; more is no name, licence or address.
    private static let longestText = 4096
    /// How many ids, addresses, domains and languages each are taken.
    private static let mostOfEach = 500

    /// An open element.
    private struct Element {
        /// Its path below the root, `developer/name`; nil further down, where nothing is looked at.
        let path: String?
        let attributes: [String: String]
        /// Language of its text, its own or that of an element around it.
        let language: String?
        var text = ""
    }

    /// Reads a file's bytes. What is not known is passed over.
    init(_ bytes: [UInt8]) throws(XMLReader.Failure) {
        var reader = try XMLReader(bytes)
        var elements: [Element] = []
        while let event = try reader.next() {
            switch event {
            case .start(let name, let attributes):
                let element = Self.element(name, attributes, in: elements.last)
                elements.append(element)
                if elements.count == 1 {
                    guard name == "component" || name == "application" else {
                        throw XMLReader.Failure(line: 1, reason: "its root element is not 'component'")
                    }
                    type = attributes["type"].flatMap(Self.collapsed)
                } else {
                    begin(element)
                }
            case .text(let text):
                guard var element = elements.popLast() else { continue }
                if element.path != nil, element.text.utf8.count + text.utf8.count <= XMLReader.maximumTextByteCount {
                    element.text += text
                }
                elements.append(element)
            case .end:
                if let element = elements.popLast() {
                    end(element)
                }
            }
        }
    }

    private static func element(_ name: String, _ attributes: [String: String], in parent: Element?) -> Element {
        let path: String? =
            if let parent {
                switch parent.path {
                case "": name
                case let above? where !above.utf8.contains(UInt8(ascii: "/")): "\(above)/\(name)"
                default: nil
                }
            } else {
                ""
            }
        // An empty value ends what an element around says (XML 1.0, 2.12).
        let language = attributes["xml:lang"].map { $0.isEmpty ? nil : $0 } ?? parent?.language
        return Element(path: path, attributes: attributes, language: language)
    }

    /// Takes what the attributes of an element say.
    private mutating func begin(_ element: Element) {
        switch element.path {
        case "releases/release":
            if let release = Self.release(element.attributes) {
                consider(release)
            }
        case "content_rating":
            contentRating = contentRating ?? element.attributes["type"].flatMap(Self.collapsed)
        default:
            break
        }
    }

    /// Takes the text of an element.
    private mutating func end(_ element: Element) {
        guard element.path != nil, let text = Self.collapsed(element.text) else { return }
        switch element.path {
        case "id":
            id = id ?? text
        case "provides/id":
            add(text)
        case "launchable":
            if element.attributes["type"] == "desktop-id" {
                add(text)
            }
        case "name":
            name.add(text, languageTag: element.language)
        case "summary":
            summary.add(text, languageTag: element.language)
        case "developer/name":
            developer.add(text, languageTag: element.language)
        case "developer_name":
            developerName.add(text, languageTag: element.language)
        case "project_license":
            projectLicense = projectLicense ?? text
        case "metadata_license", "licence":
            metadataLicense = metadataLicense ?? text
        case "url":
            addAddress(text, sort: element.attributes["type"].flatMap(Self.collapsed) ?? "homepage")
        case "translation":
            if element.attributes["type"] == "gettext", gettextDomains.count < Self.mostOfEach {
                gettextDomains.append(text)
            }
        case "languages/lang":
            addLanguage(text, percentage: element.attributes["percentage"])
        default:
            break
        }
    }

    private mutating func add(_ id: String) {
        if otherIDs.count < Self.mostOfEach {
            otherIDs.append(id)
        }
    }

    private mutating func addAddress(_ text: String, sort: String) {
        if addresses.count < Self.mostOfEach {
            addresses[sort] = addresses[sort] ?? text
        }
    }

    private mutating func addLanguage(_ tag: String, percentage: String?) {
        guard languages.count < Self.mostOfEach, let locale = LocaleName(languageTag: tag), !locale.isPrivate
        else { return }
        languages[locale] = .some(percentage.flatMap { Int($0) }.flatMap { (0...100).contains($0) ? $0 : nil })
    }

    private mutating func consider(_ release: AppStreamMetadata.Release) {
        guard let latest = latestRelease else {
            latestRelease = release
            return
        }
        // A stable one goes first, then the later; without dates the first in the file is the newest.
        if release.isStable != latest.isStable {
            latestRelease = release.isStable ? release : latest
        } else if (release.date ?? "") > (latest.date ?? "") {
            latestRelease = release
        }
    }

    private static func release(_ attributes: [String: String]) -> AppStreamMetadata.Release? {
        guard let version = attributes["version"].flatMap(collapsed) else { return nil }
        let date =
            attributes["timestamp"].flatMap { Int64($0) }.flatMap(CalendarDay.init(secondsSinceEpoch:))
            ?? attributes["date"].flatMap(CalendarDay.init)
        return AppStreamMetadata.Release(
            version: version, date: date?.description, isStable: attributes["type"] ?? "stable" == "stable")
    }

    /// A text with single spaces for its white space; nil where nothing remains or it is too long.
    private static func collapsed(_ text: String) -> String? {
        let words = text.utf8.split { $0.isASCIIWhitespace }
        guard !words.isEmpty else { return nil }
        let text = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        return text.utf8.count <= longestText ? text : nil
    }
}
