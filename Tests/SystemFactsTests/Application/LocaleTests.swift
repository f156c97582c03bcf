// SPDX-License-Identifier: MIT

import SystemFacts
import Testing

@Suite("Locales")
struct LocaleTests {
    @Test(
        "names are read without their encoding",
        arguments: [
            ("de", "de"), ("de_DE.UTF-8", "de_DE"), ("de_DE@euro", "de_DE@euro"), ("sr_RS.UTF-8@latin", "sr_RS@latin"),
            ("en@boldquot", "en@boldquot"), ("zh_Hans", "zh_Hans"),
        ])
    func names(text: String, expected: String) {
        #expect(LocaleName(text)?.description == expected)
    }

    @Test(
        "what is no name of a locale is none",
        arguments: [
            "", "C", "C.UTF-8", "POSIX", "_DE", "de_", "de@", "de.", "de DE", "../de", "/usr/de", "dé", "de_DE\u{0}",
            String(repeating: "d", count: 65),
        ])
    func badNames(text: String) {
        #expect(LocaleName(text) == nil)
    }

    @Test(
        "language tags become names of locales",
        arguments: [
            ("de", "de"), ("pt-BR", "pt_BR"), ("sr-Latn", "sr@latin"), ("sr-Latn-RS", "sr_RS@latin"),
            ("EN-gb", "en_GB"),
            ("ca-valencia", "ca@valencia"), ("es-419", "es_419"), ("zh-Hant-TW", "zh_TW@hant"), ("pt_BR", "pt_BR"),
            ("sr@latin", "sr@latin"), ("", nil), ("-", nil), ("de--AT", nil), ("de-é", nil),
        ])
    func tags(tag: String, expected: String?) {
        #expect(LocaleName(languageTag: tag)?.description == expected)
    }

    @Test("names are sorted by their bytes")
    func order() {
        let names = ["pt_BR", "de", "pt", "de_AT@euro", "Z"].compactMap { LocaleName($0) }
        #expect(names.sorted().map(\.description) == ["Z", "de", "de_AT@euro", "pt", "pt_BR"])
    }

    @Test("the locale for messages comes of LC_ALL, LC_MESSAGES, LANG, the first that is not empty")
    func messages() {
        func locale(_ environment: [String: String]) -> (String, String?) {
            let locale = MessageLocale(environment: environment)
            return (locale.name, locale.variable)
        }
        #expect(locale(["LC_ALL": "fr_FR", "LC_MESSAGES": "it", "LANG": "de"]) == ("fr_FR", "LC_ALL"))
        #expect(locale(["LC_ALL": "", "LC_MESSAGES": "it", "LANG": "de"]) == ("it", "LC_MESSAGES"))
        #expect(locale(["LANG": "de_DE.UTF-8"]) == ("de_DE.UTF-8", "LANG"))
        #expect(locale(["LANG": "C.UTF-8"]) == ("C.UTF-8", "LANG"))
        #expect(locale([:]) == ("C", nil))
        #expect(locale(["LANG": "/etc/passwd"]) == ("C", nil))
        #expect(locale(["LANG": String(repeating: "d", count: 1 << 20)]) == ("C", nil))
    }

    @Test("LANGUAGE comes first, but not under C")
    func languages() {
        func preferred(_ environment: [String: String]) -> [String] {
            MessageLocale(environment: environment).preferred.map(\.description)
        }
        #expect(preferred(["LANG": "de_DE.UTF-8", "LANGUAGE": "fr:C::it_IT.UTF-8"]) == ["fr", "it_IT", "de_DE"])
        #expect(preferred(["LANG": "C.UTF-8", "LANGUAGE": "fr"]) == [])
        #expect(preferred(["LANGUAGE": "fr"]) == [])
    }

    @Test("data directories are those of the specification, relative paths left out")
    func directories() {
        #expect(DataDirectories(environment: [:]).paths == ["/usr/local/share", "/usr/share"])
        #expect(
            DataDirectories(environment: ["HOME": "/home/u/"]).paths
                == ["/home/u/.local/share", "/usr/local/share", "/usr/share"])
        #expect(
            DataDirectories(environment: [
                "HOME": "/home/u", "XDG_DATA_HOME": "/data", "XDG_DATA_DIRS": "/a/:relative::/b:/a",
            ]).paths == ["/data", "/a", "/b"])
        #expect(
            DataDirectories(environment: ["HOME": "u", "XDG_DATA_HOME": "x", "XDG_DATA_DIRS": "y"]).paths
                == ["/usr/local/share", "/usr/share"])
    }
}
