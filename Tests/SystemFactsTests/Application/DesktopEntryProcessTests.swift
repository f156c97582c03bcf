// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import SystemFacts

@Suite("Desktop entries of processes")
struct DesktopEntryProcessTests {
    private let tree: FileTree

    init() throws {
        tree = try FileTree()
    }

    private func write(_ id: String, _ exec: String, _ more: String = "") throws -> String {
        try tree.write(
            "system/applications/\(id).desktop", "[Desktop Entry]\nType=Application\nName=\(id)\nExec=\(exec)\n\(more)")
    }

    private func process(_ environment: [String: String], executable: String? = nil) -> ObservedProcess {
        ObservedProcess(processID: 4711, executable: executable, environment: environment)
    }

    @Test("the entry that GIO launched counts for the process that it launched alone")
    func gio() throws {
        let path = try write("com.example.A", "a")
        func found(_ number: String?) throws -> String? {
            var environment = ["GIO_LAUNCHED_DESKTOP_FILE": path]
            environment["GIO_LAUNCHED_DESKTOP_FILE_PID"] = number
            let process = process(environment)
            guard factError({ () throws(FactError) in try tree.lookup().entry(launching: process) }) == nil else {
                return nil
            }
            return try tree.lookup().entry(launching: process).id
        }
        #expect(try found("4711") == "com.example.A")
        for number in ["4712", "04711", "4711 ", "", nil] {
            #expect(try found(number) == nil)
        }
    }

    @Test("an entry in a directory has the id of its path")
    func idOfPath() throws {
        let path = try write("kde/viewer", "v")
        let found = try tree.lookup().entry(
            launching: process(["GIO_LAUNCHED_DESKTOP_FILE": path, "GIO_LAUNCHED_DESKTOP_FILE_PID": "4711"]))
        #expect(found.id == "kde-viewer")
    }

    @Test("a hint that is not below a directory of applications is not followed")
    func foreignHints() throws {
        _ = try write("a.b", "a")
        let entry = "[Desktop Entry]\nType=Application\nName=x\n"
        let outside = try tree.write("elsewhere/x.desktop", entry)
        try tree.write("system/x.desktop", entry)
        let hints = [
            outside, tree.path("system/applications/../x.desktop"), "applications/a.b.desktop", "a.b.desktop",
            tree.path("system/applications/.desktop"), tree.path("system/applications-x/x.desktop"), "",
            tree.path("system/applications/a.b"), tree.path("system/applications/a\u{0}.desktop"),
        ]
        for hint in hints {
            let process = process(["GIO_LAUNCHED_DESKTOP_FILE": hint, "GIO_LAUNCHED_DESKTOP_FILE_PID": "4711"])
            let failure = factError { () throws(FactError) in try tree.lookup().entry(launching: process) }
            #expect(failure?.code == .refused, "\(hint)")
        }
    }

    @Test("the hint of BAMF counts where the entry starts the executable")
    func bamf() throws {
        let path = try write("com.example.A", "env X=1 a --flag")
        let program = try tree.write("bin/a", "")
        let other = try tree.write("bin/b", "")
        let lookup = tree.lookup()
        let environment = ["BAMF_DESKTOP_FILE_HINT": path]
        #expect(try lookup.entry(launching: process(environment, executable: program)).id == "com.example.A")
        for executable in [other, nil] {
            let process = process(environment, executable: executable)
            #expect(factError { () throws(FactError) in try lookup.entry(launching: process) }?.code == .absent)
        }
    }

    @Test("the hint of BAMF counts where the entry is that of the executable's snap")
    func bamfSnap() throws {
        let path = try write("firefox_firefox", "/snap/bin/firefox %u", "X-SnapInstanceName=firefox\n")
        let lookup = tree.lookup()
        let environment = ["BAMF_DESKTOP_FILE_HINT": path]
        let own = process(environment, executable: tree.path("snap/firefox/12/usr/lib/firefox"))
        #expect(try lookup.entry(launching: own).id == "firefox_firefox")
        let other = process(environment, executable: tree.path("snap/firefoxes/12/usr/lib/firefox"))
        #expect(factError { () throws(FactError) in try lookup.entry(launching: other) }?.code == .absent)
    }

    @Test("the entry whose command is the executable is found, through links and the search path")
    func executables() throws {
        let program = try tree.write("lib/app/real", "")
        try tree.link("bin/app", to: program)
        _ = try write("com.example.App", "app %U")
        _ = try write("com.example.Other", "other")
        _ = try write("relative", "lib/app/real")
        #expect(try tree.lookup().entry(forExecutable: program).id == "com.example.App")
        #expect(try tree.lookup().entry(forExecutable: "\(program) (deleted)").id == "com.example.App")
        let missing = tree.path("lib/none")
        #expect(factError { () throws(FactError) in try tree.lookup().entry(forExecutable: missing) }?.code == .absent)
    }

    @Test("names and commands are bytes: signs that combine with what is before them hide nothing")
    func combiningSigns() throws {
        let program = try tree.write("bin/app\u{600}", "")
        // U+0600 makes one character of itself and the dot or blank behind it.
        let path = try write("com.example.App\u{600}", "app\u{600}")
        #expect(try tree.lookup().entry(forExecutable: "\(program) (deleted)").id == "com.example.App\u{600}")
        let launched = process(["GIO_LAUNCHED_DESKTOP_FILE": path, "GIO_LAUNCHED_DESKTOP_FILE_PID": "4711"])
        #expect(try tree.lookup().entry(launching: launched).path == path)
    }

    @Test("a path whose first name begins with a sign that combines is absolute")
    func absolutePath() {
        #expect(
            factError { () throws(FactError) in try SmallFile.read("/\u{301}none/file", limit: 10) }?.code == .absent)
    }

    @Test("commands of an entry's actions, and of other lines, do not count")
    func actions() throws {
        let program = try tree.write("bin/app", "")
        _ = try write("com.example.A", "other", "Exec[de]=app\n#Exec=app\n[Desktop Action x]\nExec=app\n")
        #expect(factError { () throws(FactError) in try tree.lookup().entry(forExecutable: program) }?.code == .absent)
        _ = try write("com.example.B", "other", "  Exec = app\r\nNoDisplay=true\n")
        #expect(try tree.lookup().entry(forExecutable: program).id == "com.example.B")
    }

    @Test("an entry with a second name is one")
    func secondNames() throws {
        let program = try tree.write("bin/app", "")
        let path = try write("com.example.App", "app")
        try tree.link("system/applications/old-name.desktop", to: path)
        #expect(try tree.lookup().entry(forExecutable: program).id == "com.example.App")
    }

    @Test("of several entries the one that is shown, then the one of the executable's name is taken; else none")
    func several() throws {
        let program = try tree.write("bin/suite", "")
        let hidden = try write("com.example.Settings", "suite --settings", "NoDisplay=true\n")
        #expect(try tree.lookup().entry(forExecutable: program).path == hidden)
        _ = try write("com.example.Writer", program)
        #expect(try tree.lookup().entry(forExecutable: program).id == "com.example.Writer")
        _ = try write("com.example.Calc", "suite --calc")
        #expect(
            factError { () throws(FactError) in try tree.lookup().entry(forExecutable: program) }?.code == .ambiguous)
        _ = try write("com.example.Suite", "suite")
        #expect(try tree.lookup().entry(forExecutable: program).id == "com.example.Suite")
    }

    @Test(
        "interpreters and launchers belong to no entry",
        arguments: ["python3.11", "bash", "flatpak", "gjs-console", "node", "perl5.36.0", "java", "xdg-dbus-proxy"])
    func interpreters(name: String) throws {
        let program = try tree.write("bin/\(name)", "")
        _ = try write("com.example.Script", "\(name) script")
        #expect(factError { () throws(FactError) in try tree.lookup().entry(forExecutable: program) }?.code == .refused)
    }

    @Test("an entry that the user has overridden or hidden is not found by the system's command")
    func overridden() throws {
        let program = try tree.write("bin/app", "")
        _ = try write("com.example.App", "app")
        try tree.write("home/applications/com.example.App.desktop", "[Desktop Entry]\nHidden=true\n")
        #expect(factError { () throws(FactError) in try tree.lookup().entry(forExecutable: program) }?.code == .absent)
    }
}
