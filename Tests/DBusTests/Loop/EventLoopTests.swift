// SPDX-License-Identifier: MIT

@testable import DBus
import Foundation
import Testing
import TestSupport

extension LiveTests {
    @Suite("Event loop", .timeLimit(.minutes(5)))
    struct EventLoopTests {
        @Test("jobs from many threads are each done once, those of one thread in order")
        func enqueue() async throws {
            let loop = try EventLoop.startThread()
            defer { loop.stop() }
            let done = Recorder<(thread: Int, number: Int)>()
            await withTaskGroup { group in
                for thread in 0..<8 {
                    group.addTask {
                        for number in 0..<2_000 {
                            loop.enqueue { done.append((thread, number)) }
                        }
                    }
                }
            }
            try await done.wait(for: 16_000)
            for thread in 0..<8 {
                #expect(done.elements.filter { $0.thread == thread }.map(\.number) == Array(0..<2_000))
            }
        }

        @Test("what is enqueued on the loop's thread is done after what is under way")
        func enqueueOnLoop() async throws {
            let loop = try EventLoop.startThread()
            defer { loop.stop() }
            let done = Recorder<Int>()
            loop.enqueue {
                loop.enqueue { done.append(2) }
                done.append(1)
            }
            #expect(try await done.wait(for: 2) == [1, 2])
        }

        @Test("the end of what a cancelled timer holds may set another timer")
        func timerAtEnd() async throws {
            final class Ending: Sendable {
                let end: @Sendable () -> Void

                init(_ end: @escaping @Sendable () -> Void) {
                    self.end = end
                }

                deinit { end() }
            }

            let loop = try EventLoop.startThread()
            defer { loop.stop() }
            let done = Recorder<Int>()
            loop.enqueue {
                let ending = Ending { loop.schedule(after: .zero) { done.append(1) } }
                loop.schedule(after: .seconds(60)) { withExtendedLifetime(ending) {} }.cancel()
            }
            #expect(try await done.wait() == [1])
        }

        @Test("only the loop's thread is the current one")
        func isCurrent() async throws {
            let loop = try EventLoop.startThread(named: "a name of more than 15 bytes")
            defer { loop.stop() }
            let seen = Recorder<Bool>()
            loop.enqueue { seen.append(loop.isCurrent) }
            #expect(try await seen.wait() == [true])
            #expect(!loop.isCurrent)
        }

        @Test("a loop that is stopped does what was enqueued before and drops the rest")
        func stop() async throws {
            let loop = try EventLoop()
            let done = Recorder<Int>()
            for number in 0..<100 {
                loop.enqueue { done.append(number) }
            }
            loop.stop()
            #expect(!loop.enqueue { done.append(-1) })
            loop.run()
            #expect(done.elements == Array(0..<100))
            #expect(!loop.isCurrent)
        }

        @Test("a loop that is stopped together with its last job ends")
        func stopWithJob() async throws {
            for _ in 0..<200 {
                let ended = Recorder<Void>()
                let loop = try EventLoop()
                try startDetachedThread(named: "test") {
                    loop.run()
                    ended.append(())
                }
                let isAtRest = Recorder<Void>()
                loop.schedule(after: .microseconds(100)) { isAtRest.append(()) }
                try await isAtRest.wait()
                loop.enqueue {}
                loop.stop()
                try await ended.wait()
            }
        }

        @Test("a loop can be stopped by what it runs")
        func stopFromInside() throws {
            let loop = try EventLoop()
            loop.schedule(after: .milliseconds(1)) { loop.stop() }
            loop.run()
        }

        @Test("timers fire in order, none too early, a cancelled one never")
        func timers() async throws {
            let loop = try EventLoop.startThread()
            defer { loop.stop() }
            let start = ContinuousClock.now
            let fired = Recorder<(number: Int, after: Duration)>()
            loop.enqueue {
                // The loop is busy with this job, so that none fires before all have been scheduled.
                for number in [3, 1, 2] {
                    loop.schedule(after: .milliseconds(number * 50)) { fired.append((number, .now - start)) }
                }
                loop.schedule(after: .milliseconds(10)) { fired.append((-1, .zero)) }.cancel()
            }
            try await fired.wait(for: 3)
            #expect(fired.elements.map(\.number) == [1, 2, 3])
            for (number, after) in fired.elements {
                #expect(after >= .milliseconds(number * 50))
            }
        }

        @Test("a timer may be for as long as a duration goes, or be over already", arguments: [Int64.max, 0, -5])
        func extremeTimers(_ seconds: Int64) async throws {
            let loop = try EventLoop.startThread()
            defer { loop.stop() }
            let done = Recorder<Int>()
            loop.schedule(after: .seconds(seconds)) { done.append(1) }
            loop.schedule(after: .milliseconds(20)) { done.append(2) }
            try await done.wait(for: seconds == .max ? 1 : 2)
            #expect(done.elements == (seconds == .max ? [2] : [1, 2]))
        }

        @Test("at rest the loop sleeps")
        func rest() async throws {
            let loop = try EventLoop.startThread()
            defer { loop.stop() }
            loop.schedule(after: .seconds(Int64.max)) {}
            let times = Recorder<Double>()
            loop.enqueue { times.append(threadSeconds()) }
            try await times.wait()
            try await Task.sleep(for: .milliseconds(200))
            loop.enqueue { times.append(threadSeconds()) }
            let used = try await times.wait(for: 2)
            #expect(used[1] - used[0] < 0.05)
        }

        @Test("a loop at rest holds nothing of what it has done")
        func holdsNothing() async throws {
            let loop = try EventLoop.startThread()
            defer { loop.stop() }
            final class Thing: Sendable {}
            weak var weakThing: Thing?
            do {
                let thing = Thing()
                weakThing = thing
                loop.schedule(after: .milliseconds(1)) { withExtendedLifetime(thing) {} }
            }
            try await waitUntil("the timer's thing is let go") { weakThing == nil }
            do {
                let thing = Thing()
                weakThing = thing
                loop.enqueue { withExtendedLifetime(thing) {} }
            }
            try await waitUntil("the job's thing is let go") { weakThing == nil }
        }

        @Test("a descriptor that can be read is told until the watch is cancelled")
        func watch() async throws {
            let loop = try EventLoop.startThread()
            defer { loop.stop() }
            let pipe = Pipe()
            let reading = pipe.fileHandleForReading.fileDescriptor
            let read = Recorder<UInt8>()
            let watch = loop.watch(readable: reading) {
                var byte: UInt8 = 0
                Foundation.read(reading, &byte, 1)
                read.append(byte)
            }
            pipe.fileHandleForWriting.write(Data([1, 2]))
            #expect(try await read.wait(for: 2) == [1, 2])
            let cancelled = Recorder<Void>()
            loop.enqueue {
                watch.cancel()
                cancelled.append(())
            }
            try await cancelled.wait()
            pipe.fileHandleForWriting.write(Data([3]))
            let later = Recorder<Void>()
            loop.schedule(after: .milliseconds(20)) { later.append(()) }
            try await later.wait()
            #expect(read.elements == [1, 2])
        }

        @Test("a watch that another's handler cancels is not told of what came with it")
        func cancelledMeanwhile() async throws {
            let loop = try EventLoop()
            let pipe = Pipe()
            let descriptor = pipe.fileHandleForReading.fileDescriptor
            pipe.fileHandleForWriting.write(Data([1]))
            let told = Recorder<Int>()
            let watches = Recorder<DescriptorWatch>()
            for number in 0..<2 {
                watches.append(
                    loop.watch(readable: descriptor) {
                        told.append(number)
                        watches.elements.forEach { $0.cancel() }
                        loop.stop()
                    })
            }
            loop.run()
            #expect(told.elements == [0])
        }

        @Test("what a watch's handler holds goes at once where the loop has ended")
        func watchAfterEnd() throws {
            final class Thing: Sendable {
                let watches = Recorder<DescriptorWatch>()
            }
            let loop = try EventLoop()
            loop.stop()
            let pipe = Pipe()
            weak var weakThing: Thing?
            do {
                let thing = Thing()
                weakThing = thing
                thing.watches.append(
                    loop.watch(readable: pipe.fileHandleForReading.fileDescriptor) {
                        withExtendedLifetime(thing) {}
                    })
            }
            #expect(weakThing == nil)
        }

        @Test("what a watch's handler holds goes with the watch, else with the loop", arguments: [true, false])
        func watchedThing(isCancelled: Bool) throws {
            final class Thing: Sendable {
                let watches = Recorder<DescriptorWatch>()
            }
            let loop = try EventLoop()
            let pipe = Pipe()
            pipe.fileHandleForWriting.write(Data([1]))
            weak var weakThing: Thing?
            do {
                let thing = Thing()
                weakThing = thing
                let watch = loop.watch(readable: pipe.fileHandleForReading.fileDescriptor) {
                    if isCancelled {
                        thing.watches.elements.forEach { $0.cancel() }
                    }
                    loop.stop()
                }
                thing.watches.append(watch)
            }
            loop.run()
            #expect(weakThing == nil)
        }

        @Test("loops leave no descriptors and no threads")
        func leaks() async throws {
            let threads = try ProcessResources.threadCount
            let descriptors = try ProcessResources.descriptorCount
            for _ in 0..<200 {
                let loop = try EventLoop.startThread()
                loop.enqueue {}
                loop.stop()
            }
            try await waitUntil("no more threads and descriptors than before") {
                try ProcessResources.threadCount <= threads + 2 && ProcessResources.descriptorCount <= descriptors + 2
            }
        }
    }
}

/// The time that this thread has used of a processor.
func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
