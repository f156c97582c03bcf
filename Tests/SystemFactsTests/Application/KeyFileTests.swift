// SPDX-License-Identifier: MIT

import Testing

@testable import SystemFacts

@Suite("Key files")
struct KeyFileTests {
    private func file(_ text: String) throws -> KeyFile {
        try KeyFile(text.utf8)
    }

    @Test("groups, keys, comments and empty lines are read")
    func basics() throws {
        let file = try file(
            "# a comment\n\n[First]\nName=Value\n  # indented\n Other = spaced \n[Second group]\nName=2")
        #expect(file.groups == ["First", "Second group"])
        #expect(file.text("Name", in: "First") == "Value")
        #expect(file.text("Other", in: "First") == "spaced ")
        #expect(file.text("Name", in: "Second group") == "2")
        #expect(file.text("Name", in: "Third") == nil)
        #expect(file.keys(in: "First") == ["Name", "Other"])
        #expect(file.problems.isEmpty)
    }

    @Test("line ends of other systems and a byte order mark do not hurt")
    func lineEnds() throws {
        let file = try file("\u{FEFF}[A]\r\nName=Value\r\nFlag=true\r\n")
        #expect(file.text("Name", in: "A") == "Value")
        #expect(file.flag("Flag", in: "A") == true)
        #expect(file.problems.isEmpty)
    }

    @Test(
        "escapes are undone, others stay",
        arguments: [
            (#"a\sb"#, "a b"), (#"\n\t\r"#, "\n\t\r"), (#"\\n"#, #"\n"#), (#"\$x"#, #"\$x"#), (#"\;"#, #"\;"#),
            (#"end\"#, #"end\"#), ("", ""), ("=", "="), ("a=b;c", "a=b;c"),
        ])
    func escapes(raw: String, expected: String) throws {
        #expect(try file("[A]\nKey=\(raw)").text("Key", in: "A") == expected)
    }

    @Test(
        "lists are separated by semicolons",
        arguments: [
            ("a;b;", ["a", "b"]), ("a;b", ["a", "b"]), ("", []), (";", [""]), (#"a\;b;c"#, ["a;b", "c"]),
            ("a;;b", ["a", "", "b"]), (#"a\\;b"#, [#"a\"#, "b"]), (#"a\sb;"#, ["a b"]),
        ])
    func lists(raw: String, expected: [String]) throws {
        #expect(try file("[A]\nKey=\(raw)").list("Key", in: "A") == expected)
    }

    @Test("booleans are true and false, 1 and 0, and nothing else")
    func flags() throws {
        let file = try file("[A]\na=true\nb=false\nc=1\nd=0\ne=yes\nf=True\ng=true \nh=")
        #expect(["a", "b", "c", "d", "g"].map { file.flag($0, in: "A") } == [true, false, true, false, true])
        #expect(["e", "f", "h", "i"].map { file.flag($0, in: "A") } == [nil, nil, nil, nil])
    }

    @Test(
        "the best translation is taken, in the specification's order",
        arguments: [
            ("sr_YU@Latn", "1"), ("sr_YU.UTF-8@Latn", "1"), ("sr_YU", "2"), ("sr_ME@Latn", "3"), ("sr@Latn", "3"),
            ("sr_ME", "4"), ("sr", "4"), ("sr@other", "4"), ("sr_YU@other", "2"), ("de_DE", "0"), ("C", "0"),
            ("POSIX", "0"), ("", "0"), ("sr/../x", "0"), ("s", "0"),
        ])
    func translations(locale: String, expected: String) throws {
        let file = try file("[A]\nN=0\nN[sr_YU@Latn]=1\nN[sr_YU]=2\nN[sr@Latn]=3\nN[sr]=4")
        let locales = LocaleName(locale).map { [$0] } ?? []
        #expect(file.text("N", in: "A", for: locales) == expected)
    }

    @Test("a later locale comes before the text without one, and after all of the first")
    func severalLocales() throws {
        let file = try file("[A]\nN=0\nN[fr]=f\nN[de]=d\nL[fr]=a;b;\nL=c;")
        #expect(file.text("N", in: "A", for: ["it_IT", "fr_CH", "de"].compactMap { LocaleName($0) }) == "f")
        #expect(file.list("L", in: "A", for: [LocaleName("fr_FR")].compactMap(\.self)) == ["a", "b"])
        #expect(file.locales(of: "N", in: "A").map(\.description) == ["de", "fr"])
    }

    @Test("a translation without an untranslated value is found only in its locale")
    func translatedOnly() throws {
        let file = try file("[A]\nN[de]=d")
        #expect(file.text("N", in: "A", for: [LocaleName("de")].compactMap(\.self)) == "d")
        #expect(file.text("N", in: "A") == nil)
    }

    @Test(
        "a bad line is skipped and told",
        arguments: [
            ("no equals sign", KeyFileProblem.Reason.noKey), ("[A", .badGroup), ("[]", .badGroup), ("[A]x", .badGroup),
            ("[[A]]", .badGroup), ("[ä]", .badGroup), ("=value", .badKey), ("ä=value", .badKey), ("a]=value", .badKey),
            ("[a]b]=value", .badGroup), ("N[]=x", .badLocale), ("N[de/x]=x", .badLocale), ("N[C]=x", .badLocale),
            ("a\u{0}b=x", .control), ("a=x\u{0}", .control), ("a=\u{1B}[0m", .control),
        ])
    func badLines(line: String, reason: KeyFileProblem.Reason) throws {
        let file = try file("[G]\nbefore=1\n\(line)\nafter=2")
        #expect(file.problems == [KeyFileProblem(line: 3, reason: reason)])
        #expect(file.text("before", in: "G") == "1")
        #expect(file.text("after", in: "G") == "2")
        #expect(file.keys(in: "G") == ["after", "before"])
    }

    @Test("bytes that are not UTF-8 cost their line only")
    func notUTF8() throws {
        let bytes = Array("[A]\n# ".utf8) + [0xE9] + Array("\nN[fr]=caf".utf8) + [0xE9] + Array("\nN=coffee\n".utf8)
        let file = try KeyFile(bytes)
        #expect(file.problems == [KeyFileProblem(line: 3, reason: .notUTF8)])
        #expect(file.text("N", in: "A", for: [LocaleName("fr")].compactMap(\.self)) == "coffee")
    }

    @Test("a key before a group is skipped; of a key that comes twice the later counts; groups of one name are one")
    func repetitions() throws {
        let file = try file("a=0\n[A]\na=1\na=2\n[B]\n[A]\nb=3")
        #expect(file.problems.map(\.reason) == [.noGroup, .repeatedKey, .repeatedGroup])
        #expect(file.problems.map(\.line) == [1, 4, 6])
        #expect(file.text("a", in: "A") == "2")
        #expect(file.text("b", in: "A") == "3")
        #expect(file.groups == ["A", "B"])
        #expect(file.problems.first?.description == "line 1: the key stands before the first group")
    }

    @Test("problems are kept up to a number, files and keys are read up to one")
    func limits() throws {
        #expect(try file(String(repeating: "x\n", count: 500)).problems.count == KeyFile.maximumProblemCount)
        #expect(factError { () throws(FactError) in try KeyFile([UInt8](repeating: 0x0A, count: 1 << 20)) } == nil)
        #expect(
            factError { () throws(FactError) in try KeyFile([UInt8](repeating: 0x0A, count: 1 << 20 + 1)) }?.code
                == .tooLarge)
        let keys = "[A]\n" + (0...KeyFile.maximumKeyCount).map { "k\($0)=\n" }.joined()
        #expect(factError { () throws(FactError) in try KeyFile(keys.utf8) }?.code == .tooLarge)
    }
}
