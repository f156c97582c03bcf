// SPDX-License-Identifier: MIT

import CSQLite
import Glibc

/// How much memory SQLite may take on one thread: what a statement says must not decide what a process needs, and some
/// short ones are huge once SQLite has taken them apart. Past it statements fail with `noMemory`.
enum MemoryBudget {
    /// SQLite's own functions for memory.
    nonisolated(unsafe) private static var original = sqlite3_mem_methods()

    /// By what the thread's budget is found; nil where SQLite could not be set up for it.
    nonisolated(unsafe) private static var key: pthread_key_t?

    /// Puts itself between SQLite and its memory; before SQLite is used.
    static func setUp() {
        var key = pthread_key_t()
        var methods = sqlite3_mem_methods()
        guard csqlite_get_memory_methods(&methods) == SQLITE_OK, methods.xMalloc != nil,
            pthread_key_create(&key, nil) == 0
        else { return }
        original = methods
        methods.xMalloc = { count in
            guard MemoryBudget.has(Int(count)), let memory = MemoryBudget.original.xMalloc(count) else { return nil }
            MemoryBudget.take(MemoryBudget.size(of: memory))
            return memory
        }
        methods.xRealloc = { memory, count in
            let before = MemoryBudget.size(of: memory)
            guard MemoryBudget.has(Int(count) - before), let new = MemoryBudget.original.xRealloc(memory, count) else {
                return nil
            }
            MemoryBudget.take(MemoryBudget.size(of: new) - before)
            return new
        }
        methods.xFree = { memory in
            MemoryBudget.take(-MemoryBudget.size(of: memory))
            MemoryBudget.original.xFree(memory)
        }
        if csqlite_set_memory_methods(&methods) == SQLITE_OK {
            Self.key = key
        }
    }

    /// How many bytes a piece of memory has, which are more than were asked for.
    private static func size(of memory: UnsafeMutableRawPointer?) -> Int { Int(original.xSize(memory)) }

    /// What is left of the thread's budget; nil where it has none.
    private static var left: UnsafeMutablePointer<Int>? {
        key.flatMap { pthread_getspecific($0) }?.assumingMemoryBound(to: Int.self)
    }

    /// Whether so many bytes are left of the thread's budget, if it has one.
    private static func has(_ count: Int) -> Bool { left.map { count <= $0.pointee } ?? true }

    /// Takes so many bytes from the thread's budget, if it has one.
    private static func take(_ count: Int) { left?.pointee -= count }

    /// Does something with a budget of so many bytes.
    static func limit<Value>(to count: Int, _ body: () throws -> Value) rethrows -> Value {
        guard let key else { return try body() }
        var left = count
        return try withUnsafeMutablePointer(to: &left) { place in
            let before = pthread_getspecific(key)
            pthread_setspecific(key, place)
            defer { pthread_setspecific(key, before) }
            return try body()
        }
    }
}

extension Connection {
    /// Does something on the calling thread, in which SQLite may take so many bytes of memory for all connections; past
    /// them statements fail with `noMemory`. What is released counts as given back.
    public static func withMemory<Value>(ofAtMost count: Int, _ body: () throws -> Value) rethrows -> Value {
        setUp
        return try MemoryBudget.limit(to: count, body)
    }
}
