// SPDX-License-Identifier: MIT

import DBus
import SentinelInterfaces

extension AnalyticsObject {
    func listMetrics(reply: Reply<[MetricEntry]>) { reply.failAsAbsent("ListMetrics") }

    func runMetric(name: String, parameters: [Key: Value], limit: UInt32, reply: Reply<[String], [[Key: Value]]>) {
        reply.failAsAbsent("RunMetric")
    }

    func query(sql: String, parameters: [Value], limit: UInt32, reply: Reply<[String], [[Key: Value]]>) {
        reply.failAsAbsent("Query")
    }

    func report(
        file: FileDescriptor, format: String, start: Int64, end: Int64, options: [Key: Value], reply: Reply<>
    ) {
        reply.failAsAbsent("Report")
    }

    func reportText(format: String, start: Int64, end: Int64, options: [Key: Value], reply: Reply<String>) {
        reply.failAsAbsent("ReportText")
    }
}
