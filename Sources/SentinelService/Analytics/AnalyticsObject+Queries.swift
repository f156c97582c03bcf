// SPDX-License-Identifier: MIT

import DBus
import SentinelAnalytics
import SentinelInterfaces
import SentinelModels
import SentinelPersistence

// MARK: - Queries and metrics

extension AnalyticsObject {
    /// What a query has found, as a reply has it.
    typealias Found = (columns: [String], rows: [[Key: Value]])

    func query(sql: String, parameters: [Value], limit: UInt32, reply: Reply<[String], [[Key: Value]]>) {
        reply.attempt {
            let limit = try PageLimit(limit)
            let values = try parameters.enumerated().map { index, value in
                try QueryValue(value, of: "parameter \(index + 1)")
            }
            try answerAlone(reply) { (found: Found) in
                reply(found.columns, found.rows)
            } _: { cancellation, completion in
                analytics.query(sql, parameters: values, limit: limit.count, cancellation: cancellation) {
                    completion($0.map(\.found))
                }
            }
        }
    }

    func listMetrics(reply: Reply<[MetricEntry]>) {
        reply(
            metrics.catalog.metrics.map { metric in
                MetricEntry(
                    name: metric.name, description: metric.description,
                    parameters: metric.parameters.map { MetricParameter(name: $0.name, type: $0.type.rawValue) })
            })
    }

    func runMetric(name: String, parameters: [Key: Value], limit: UInt32, reply: Reply<[String], [[Key: Value]]>) {
        reply.attempt {
            let metric = try metrics.catalog.metric(name)
            let limit = try PageLimit(limit)
            var values: [String: QueryValue] = [:]
            for (key, value) in parameters {
                let isDouble = metric.parameters.contains { $0.name == key.text && $0.type == .double }
                values[key.text] = try QueryValue(value, of: "parameter \(key)", isDouble: isDouble)
            }
            try answerAlone(reply) { (found: Found) in
                reply(found.columns, found.rows)
            } _: { cancellation, completion in
                analytics.run(metric, parameters: values, limit: limit.count, cancellation: cancellation) {
                    completion($0.map(\.found))
                }
            }
        }
    }
}

extension QueryValue {
    /// Reads a parameter, whatever variants are around it.
    ///
    /// - Parameter isDouble: whether an integer is taken for a double.
    /// - Throws: `DBusError` with code `invalidArgs` that names the place and what is allowed.
    fileprivate init(_ value: Value, of place: String, isDouble: Bool = false) throws(DBusError) {
        let value = value.unwrapped
        do throws(DBusError) {
            switch value {
            case .boolean(let truth): self = .boolean(truth)
            case .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64:
                let number: Int64 = try value.integer()
                self = isDouble ? .double(Double(number)) : .integer(number)
            case .double: self = .double(try value.finiteDouble())
            case .string(let text): self = .text(text)
            case .array(let array) where array.bytes != nil: self = .bytes(array.bytes ?? [])
            default:
                throw DBusError(.invalidArgs, "expected b, an integer, d, s or ay, got a value of type \(value.type)")
            }
        } catch {
            throw DBusError(error.code, "\(place): \(error.message)", underlying: error)
        }
    }

    fileprivate var value: Value {
        switch self {
        case .integer(let number): .int64(number)
        case .double(let number): .double(number)
        case .text(let text): .string(text)
        case .bytes(let bytes): .bytes(bytes)
        case .boolean(let truth): .boolean(truth)
        }
    }
}

extension QueryRows {
    /// The rows as a reply has them, without what is NULL; made where the rows were read, since there may be many.
    fileprivate var found: AnalyticsObject.Found {
        let keys = columns.map { Key($0) }
        let rows = rows.map { row in
            zip(keys, row).reduce(into: [Key: Value]()) { options, column in
                options[column.0] = column.1?.value
            }
        }
        return (columns, rows)
    }
}
