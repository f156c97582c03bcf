// SPDX-License-Identifier: MIT

/// An acceleration in m/s² along the three axes of a sensor. At rest it is that of gravity, in free fall zero.
public struct Acceleration: Hashable, Sendable {
    /// More than anything is ever accelerated by in a hand, in m/s²: what is beyond is no measurement.
    private static let most = 100_000.0

    /// Along the sensor's axis x, in m/s².
    public var x: Double
    /// Along the sensor's axis y, in m/s².
    public var y: Double
    /// Along the sensor's axis z, in m/s².
    public var z: Double

    /// An acceleration of three parts in m/s².
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// Its strength in m/s², whatever its direction.
    var magnitude: Double { dot(self).squareRoot() }

    /// Whether it can have been measured; what is not finite cannot.
    var isPlausible: Bool { magnitude <= Self.most }

    /// The product of both strengths and the cosine of the angle between.
    func dot(_ other: Acceleration) -> Double {
        x * other.x + y * other.y + z * other.z
    }

    static func + (left: Acceleration, right: Acceleration) -> Acceleration {
        Acceleration(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
    }

    static func - (left: Acceleration, right: Acceleration) -> Acceleration {
        Acceleration(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
    }

    static func * (left: Acceleration, factor: Double) -> Acceleration {
        Acceleration(x: left.x * factor, y: left.y * factor, z: left.z * factor)
    }
}
