// SPDX-License-Identifier: MIT

import Testing

@testable import SQLite

@Suite("A transaction")
struct TransactionTests {
    struct Refusal: Error {}

    let connection: Connection

    init() throws {
        connection = try Connection(.memory)
        try connection.execute("CREATE TABLE t (x)")
    }

    private var rows: Int? {
        get throws { try connection.first("SELECT count(*) FROM t") }
    }

    @Test("is committed when its body returns")
    func commit() throws {
        let value = try connection.transaction {
            try connection.run("INSERT INTO t VALUES (1)")
            #expect(connection.isInTransaction)
            return 5
        }
        #expect(value == 5)
        #expect(!connection.isInTransaction)
        #expect(try rows == 1)
    }

    @Test("is taken back when its body throws, whatever it throws")
    func rollBack() throws {
        #expect(throws: Refusal.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (1)")
                throw Refusal()
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try rows == 0)
    }

    @Test("survives the savepoints inside it that are taken back")
    func savepoints() throws {
        try connection.transaction {
            for number in 0..<4 {
                do {
                    try connection.savepoint {
                        try connection.run("INSERT INTO t VALUES (?)", number)
                        try connection.savepoint { try connection.run("INSERT INTO t VALUES (?)", number) }
                        if number == 2 { throw Refusal() }
                    }
                } catch is Refusal {
                    #expect(number == 2)
                }
            }
        }
        #expect(try rows == 6)
        #expect(try connection.first("SELECT count(*) FROM t WHERE x = 2") == 0)
    }

    @Test("that a full disk ends is not committed in part")
    func ended() throws {
        try connection.setPragma("max_page_count", to: 3)
        let error = #expect(throws: SQLiteError.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (1)")
                try connection.savepoint {
                    try connection.run("INSERT INTO t VALUES (?)", [UInt8](repeating: 1, count: 50_000))
                }
            }
        }
        #expect(error?.code == .full)
        #expect(!connection.isInTransaction)
        #expect(try rows == 0)
    }

    @Test("that fails at its commit is taken back")
    func deferredConstraint() throws {
        try connection.setPragma("foreign_keys", to: 1)
        try connection.execute(
            """
            CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE child (parent REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
            """)
        let error = #expect(throws: SQLiteError.self) {
            try connection.transaction { try connection.run("INSERT INTO child VALUES (1)") }
        }
        #expect(error?.extendedCode == .constraintForeignKey)
        #expect(!connection.isInTransaction)
        #expect(try connection.first("SELECT count(*) FROM child") == 0)
    }
}
