// SPDX-License-Identifier: MIT

import SQLite
import SentinelModels

/// Opens a store's database: the wanted one, else a successor to one that is damaged, else what comes nearest.
struct StoreOpener: Sendable {
    /// What is known against the database beforehand.
    enum Suspicion: Equatable, Sendable {
        case none
        /// SQLite found damage in use: the whole database is checked.
        case damage
        /// The whole database was checked, with this finding.
        case certainDamage(String)
    }

    let location: StoreLocation
    let clock: WallClock

    /// Opens what can be had.
    func open(_ suspicion: Suspicion = .none) -> Backing {
        do {
            return try openWanted(suspicion)
        } catch {
            return openSubstitute(for: error)
        }
    }

    /// Opens the wanted database. One that is damaged is set aside, what can be read from it goes to its successor.
    func openWanted(_ suspicion: Suspicion = .none) throws -> Backing {
        guard case .directory(let path) = location else {
            return Backing(.wanted, try openMemory())
        }
        let files = StoreFiles(directory: path)
        try files.prepareDirectory()
        let finding = try files.inspect()
        if case .damage(let damage) = finding {
            return try startAnew(files, damage)
        }
        do {
            if case .certainDamage(let damage) = suspicion {
                throw SQLiteError(code: .corrupt, message: damage)
            }
            let connection = try connect(files, isSuspect: suspicion == .damage)
            return Backing(
                .wanted, connection, files: files, needsCheck: finding == .database(wasClosed: false),
                salvage: try unfinishedSalvage(in: connection, files))
        } catch let error as SQLiteError where error.isDamage {
            return try startAnew(files, error.message)
        }
    }

    private func connect(_ files: StoreFiles, isSuspect: Bool = false) throws -> Connection {
        let connection = try Connection(.file(files.database))
        do {
            if isSuspect, let finding = try connection.quickCheck(limit: 1).first {
                throw SQLiteError(code: .corrupt, message: finding)
            }
            try Schema.prepare(connection) { connection, version throws(SQLiteError) in
                try backUp(connection, of: version, files)
            }
            return connection
        } catch {
            // Whatever it was, the log is not to be copied into a database that did not open.
            try connection.abandon()
            throw error
        }
    }

    private func backUp(_ connection: Connection, of version: Int, _ files: StoreFiles) throws(SQLiteError) {
        let path: String
        do throws(SentinelError) {
            path = try files.backupPath(ofSchema: version, at: clock.now())
        } catch {
            throw SQLiteError(code: .cannotOpen, message: error.message, path: files.database)
        }
        try connection.backUp(to: path)
    }

    private func openMemory() throws(SQLiteError) -> Connection {
        let connection = try Connection(.memory)
        try Schema.prepare(connection) { _, _ in }
        return connection
    }

    // MARK: Damage

    private func startAnew(_ files: StoreFiles, _ damage: String) throws -> Backing {
        let aside = try files.setAside(at: clock.now())
        var details: [StoreHealth.Detail] = [.init("damage", damage), .init("damaged_file", aside)]
        do {
            let connection = try connect(files)
            details.append(try salvage(aside, to: connection))
            return Backing(.wanted, connection, files: files, salvage: aside, details: details)
        } catch {
            // What was salvaged waits in memory for the disk; the events stay where they are meanwhile.
            let connection = try openMemory()
            details.append(try salvage(aside, to: connection))
            return Backing(
                .memory(because: SentinelError(storage: error)), connection, canRecover: true, salvage: aside,
                details: details)
        }
    }

    /// The database whose events the process before did not get to copy, nil for none.
    private func unfinishedSalvage(in connection: Connection, _ files: StoreFiles) throws -> String? {
        let name = try connection.first(
            "SELECT value FROM settings WHERE name = ?", Writer.salvageSetting, as: String.self)
        guard let name else { return nil }
        let path = "\(files.directory)/\(name)"
        return try StoreFiles.hasContent(path) ? path : nil
    }

    private func salvage(_ path: String, to connection: Connection) throws -> StoreHealth.Detail {
        let salvage: Salvage
        do {
            // SQLite would delete the log of an empty database.
            guard try StoreFiles.hasContent(path) else { return .init("salvaged_applications", "0") }
            salvage = try Salvage(damaged: path)
        } catch {
            // A file that cannot even be opened has nothing to read; what is wrong with it is told already.
            return .init("salvaged_applications", "0")
        }
        let count = try salvage.copyApplications(to: connection)
        try salvage.copyTools(to: connection)
        try salvage.copyTriggers(to: connection)
        try connection.transaction {
            try salvage.copySettings(to: connection)
            try SettingsTable.set([Writer.salvageSetting: StoreFiles.name(of: path)], in: connection)
        }
        return .init("salvaged_applications", "\(count)")
    }

    // MARK: Substitutes

    private func openSubstitute(for error: any Error) -> Backing {
        let reason = SentinelError(storage: error)
        if let error = error as? SQLiteError, case .directory(let path) = location {
            let files = StoreFiles(directory: path)
            if let connection = openReadOnly(files) {
                return Backing(.readOnly(because: reason), connection, canRecover: error.code != .newerSchema)
            }
        }
        do {
            return Backing(.memory(because: reason), try openMemory(), canRecover: true)
        } catch {
            return Backing(.memory(because: SentinelError(storage: error)), nil, canRecover: true)
        }
    }

    /// The wanted database for reading, nil where that cannot be had either.
    private func openReadOnly(_ files: StoreFiles) -> Connection? {
        for isImmutable in [false, true] {
            do {
                // A read-only file system has no place for the log's index; without a log, none is needed.
                if try isImmutable && files.hasLog() { break }
                let connection = try Connection(
                    .file(files.database),
                    options: .init(access: .readOnly, isImmutable: isImmutable, checkpointsOnClose: false))
                try Schema.check(connection)
                return connection
            } catch {
                // Why the wanted database will not do is known already; this is only about the next best.
                continue
            }
        }
        return nil
    }
}
