/// A diagram has as many nodes as it may have, or has taken as many steps.
package struct DiagramLimitReached: Error, Sendable, Hashable {}
