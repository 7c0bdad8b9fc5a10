/// The error of an operation that needs more nodes or steps than the diagram is allowed.
package struct DiagramLimitReached: Error, Sendable, Hashable {}
