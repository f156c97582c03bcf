// SPDX-License-Identifier: MIT

/// The tables of preferences. All that belongs to an application goes with it.
enum PreferenceSchema {
    /// Values are JSON texts, so that each keeps its type. `layer` is `stored` or `temporary`; what the applied profile
    /// gives is in the profile. A change's `profile` is the profile that was applied, its `ends` when the override ends
    /// or was to end.
    static let sql = """
        CREATE TABLE preference_declarations (
            application TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
            key TEXT NOT NULL,
            position INTEGER NOT NULL,
            document TEXT NOT NULL,
            source TEXT NOT NULL,
            origin TEXT NOT NULL,
            time INTEGER NOT NULL,
            PRIMARY KEY (application, key)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE preference_values (
            application TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
            layer TEXT NOT NULL,
            key TEXT NOT NULL,
            value TEXT NOT NULL,
            origin TEXT NOT NULL,
            time INTEGER NOT NULL,
            ends INTEGER,
            PRIMARY KEY (application, layer, key)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE preference_profiles (
            application TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            is_applied INTEGER NOT NULL,
            PRIMARY KEY (application, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE preference_profile_values (
            application TEXT NOT NULL,
            profile TEXT NOT NULL,
            key TEXT NOT NULL,
            value TEXT NOT NULL,
            origin TEXT NOT NULL,
            time INTEGER NOT NULL,
            PRIMARY KEY (application, profile, key),
            FOREIGN KEY (application, profile) REFERENCES preference_profiles (application, name) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE preference_changes (
            change INTEGER PRIMARY KEY AUTOINCREMENT,
            application TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
            key TEXT NOT NULL,
            time INTEGER NOT NULL,
            origin TEXT NOT NULL,
            layer TEXT NOT NULL,
            profile TEXT,
            old TEXT,
            new TEXT,
            ends INTEGER
        ) STRICT;
        CREATE INDEX preference_changes_of_application ON preference_changes (application, change);
        """

    /// The tables with their columns, each after those that it refers to.
    static let tables: [(name: String, columns: [String])] = [
        ("preference_declarations", ["application", "key", "position", "document", "source", "origin", "time"]),
        ("preference_values", ["application", "layer", "key", "value", "origin", "time", "ends"]),
        ("preference_profiles", ["application", "name", "is_applied"]),
        ("preference_profile_values", ["application", "profile", "key", "value", "origin", "time"]),
        (
            "preference_changes",
            ["change", "application", "key", "time", "origin", "layer", "profile", "old", "new", "ends"]
        ),
    ]

    /// Queries that name all of it.
    static var selections: [String] {
        tables.map { "SELECT \($0.columns.joined(separator: ", ")) FROM \($0.name)" }
    }
}
