// SPDX-License-Identifier: MIT

import TestSupport

/// A schema of GSettings of the tests' own, with values in a file of their own.
enum SettingsSchema {
    static let id = "com.example.Settings"
    /// Where it is in the tree.
    private static let directory = "schemas"

    /// The environment in which it is found, and nothing of the user.
    static func environment(_ tree: FileTree) -> [String: String] {
        [
            "GSETTINGS_BACKEND": "keyfile", "GSETTINGS_SCHEMA_DIR": tree.path(directory),
            "XDG_CONFIG_HOME": tree.path("config"),
        ]
    }

    /// Makes the directory, empty.
    static func prepare(_ tree: FileTree) throws {
        try tree.makeDirectory(directory)
        try tree.makeDirectory("config")
    }

    /// Puts the schema in place.
    static func install(in tree: FileTree) async throws {
        try tree.write(
            "\(directory)/test.gschema.xml",
            """
            <schemalist>
              <enum id="\(id).Mode"><value nick="light" value="0"/><value nick="dark" value="1"/></enum>
              <schema id="\(id)" path="/com/example/settings/">
                <key name="toggle" type="b"><default>false</default></key>
                <key name="integer" type="i"><default>5</default></key>
                <key name="unsigned" type="u"><default>5</default><range min="1" max="10"/></key>
                <key name="long" type="x"><default>5</default></key>
                <key name="byte" type="y"><default>5</default></key>
                <key name="double" type="d"><default>0.5</default></key>
                <key name="text" type="s"><default>"it's"</default></key>
                <key name="mode" enum="\(id).Mode"><default>'light'</default></key>
                <key name="list" type="as"><default>[]</default></key>
              </schema>
              <schema id="\(id).Relocatable"><key name="text" type="s"><default>'there'</default></key></schema>
            </schemalist>
            """)
        let result = try await Command.run(["glib-compile-schemas", "--strict", tree.path(directory)])
        guard result.status == 0 else { throw TestSupportError("glib-compile-schemas failed: \(result.errors)") }
    }

    /// Calls `gsettings` as somebody else does.
    @discardableResult
    static func call(_ arguments: String..., in tree: FileTree) async throws -> String {
        let result = try await Command.run(["gsettings"] + arguments, environment: environment(tree))
        guard result.status == 0 else { throw TestSupportError("gsettings failed: \(result.errors)") }
        return result.output
    }
}
