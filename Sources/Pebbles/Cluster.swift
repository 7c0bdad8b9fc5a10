/// A group of pebbles that have been copied from one pond to another with ``Pond/add(_:as:_:)``.
///
/// ```swift
/// let cluster = boot.add(cache, as: "cache")
/// boot.pebble("warm", needs: cluster[entries], when: cluster.settled) { entries in … }
/// let report = try await boot.run()
/// report[cluster[entries]]
/// ```
///
/// The conditions of a cluster (``succeeded``, ``failed``, ``skipped``, ``completed`` and
/// ``settled``) depend on all of its pebbles. A cluster has no ``Pebble/ready`` condition; each of
/// its pebbles has one, which can be changed through the subscript.
///
/// A cluster is a small value and does not keep either pond alive.
public struct Cluster: Sendable {
  /// The name of the cluster, which precedes the names of its pebbles.
  public let name: String

  private let original: PondDefinition
  private let definition: PondDefinition
  private let pebbles: Range<Int>

  fileprivate init(
    _ name: String, of original: PondDefinition, in definition: PondDefinition,
    _ pebbles: Range<Int>
  ) {
    self.name = name
    self.original = original
    self.definition = definition
    self.pebbles = pebbles
  }

  /// Returns this cluster's copy of a pebble that belongs to the added pond.
  ///
  /// A pebble has no copy here if it does not belong to the added pond, or was added after the copy
  /// was made. Such a pebble is returned unchanged. If it does not belong to the pond of this
  /// cluster either, reports do not contain it, and a run whose conditions mention it throws
  /// ``PondError``.
  ///
  /// - Complexity: O(1).
  public subscript<Output>(pebble: Pebble<Output>) -> Pebble<Output> {
    let reference = pebble.reference
    guard original.includes(reference), reference.index < pebbles.count else { return pebble }
    return Pebble(
      reference: PebbleReference(
        definition: definition, index: reference.index + UInt32(pebbles.lowerBound)))
  }

  /// Returns this cluster's copy of a cluster that belongs to the added pond.
  ///
  /// A cluster that has no copy here is returned unchanged.
  ///
  /// - Complexity: O(*n*), where *n* is the total length of the names of the two clusters.
  public subscript(cluster: Cluster) -> Cluster {
    let inner = cluster.pebbles
    guard original.isDescended(from: cluster.definition),
      inner.upperBound <= min(UInt32(pebbles.count), original.sharedCount(with: cluster.definition))
    else { return cluster }
    let start = pebbles.lowerBound
    return Cluster(
      PondCluster.name(cluster.name, inside: name), of: cluster.original, in: definition,
      inner.lowerBound + start..<inner.upperBound + start)
  }

  /// Returns a copy of a condition in which the pebbles of the added pond are replaced by their
  /// copies in this cluster.
  ///
  /// ```swift
  /// let locked = store.failed("locked") { … }
  /// let cluster = boot.add(cache, as: "cache")
  /// boot.pebble("showUnlock", when: cluster[locked])
  /// ```
  ///
  /// Pebbles and cases have no copy here if they do not belong to the added pond, or were added
  /// after the copy was made. Such pebbles and cases remain unchanged. If they do not belong to the
  /// pond of this cluster either, a run whose conditions mention them throws ``PondError``.
  ///
  /// - Complexity: O(operands of the condition).
  public subscript(condition: Condition) -> Condition {
    var relocation = Relocation(
      from: original, to: definition, offset: pebbles.lowerBound, count: pebbles.count,
      findsCases: true)
    return relocation.moved(condition)
  }

  private func atoms(_ outcomes: OutcomeSet) -> [Condition] {
    pebbles.map { position in
      let pebble = PebbleReference(definition: definition, index: UInt32(position))
      return Condition(.atom(Atom(pebble: pebble, outcomes: outcomes)))
    }
  }
}

// The same conditions as those of a pebble, but about all pebbles of a cluster. If the cluster has
// no pebbles, all of these conditions except `failed` are true.
extension Cluster {
  /// A condition that is true when every pebble of the cluster has succeeded, and false as soon as
  /// one of them fails or is skipped.
  ///
  /// - Complexity: O(pebbles).
  public var succeeded: Condition { .all(atoms(.succeeded)) }

  /// A condition that is true as soon as a pebble of the cluster fails, and false when every pebble
  /// has succeeded or was skipped.
  ///
  /// A failure counts even if it is handled. When a pebble was skipped and no pebble has failed,
  /// `!succeeded` is true, but this condition is not.
  ///
  /// - Complexity: O(pebbles).
  public var failed: Condition { .any(atoms(.failed)) }

  /// A condition that is true when every pebble of the cluster was skipped, and false as soon as
  /// one of them succeeds or fails.
  ///
  /// - Complexity: O(pebbles).
  public var skipped: Condition { .all(atoms(.skipped)) }

  /// A condition that is true when every pebble of the cluster has succeeded or failed, and false
  /// as soon as one of them is skipped.
  ///
  /// - Complexity: O(pebbles).
  public var completed: Condition { .all(atoms(.completed)) }

  /// A condition that is true when every pebble of the cluster has an outcome.
  ///
  /// - Complexity: O(pebbles).
  public var settled: Condition { .all(atoms(.settled)) }
}

extension Cluster: Hashable {
  /// Returns whether two clusters have the same name, pond and pebbles, and were copied from the
  /// same pond.
  public static func == (left: Cluster, right: Cluster) -> Bool {
    left.name == right.name && left.pebbles == right.pebbles
      && left.definition === right.definition && left.original === right.original
  }

  /// Hashes the name of the cluster and the identity of its pebbles.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(pebbles)
    hasher.combine(ObjectIdentifier(definition))
  }
}

extension Cluster: CustomStringConvertible {
  /// The name of the cluster.
  public var description: String { name }
}

extension Pond {
  /// Adds a copy of another pond to this one, as a cluster.
  ///
  /// ```swift
  /// let cache = Pond("cache", maxConcurrent: 2)
  /// let entries = cache.pebble("load") { try await store.entries() }
  /// cache.pebble("prune", needs: entries) { try await store.prune($0) }
  ///
  /// let boot = Pond("boot")
  /// let cluster = boot.add(cache, as: "cache")  // cache/load, cache/prune
  /// boot.pebble("showEntries", needs: cluster[entries]) { … }
  /// ```
  ///
  /// The pebbles are copied with their current conditions, inputs and options: later changes to
  /// `other` do not affect the copies, and changes to the copies do not affect `other`. A pond can
  /// be added several times, under different names, and can itself consist of other ponds.
  ///
  /// The `around` code of `other` still wraps its pebbles, inside the `around` code of this pond.
  /// The `maxConcurrent` of `other` still limits its own pebbles. The failure policy of `other` is
  /// not copied, because a run has only one failure policy. Exclusive keys and resources with the
  /// same name are shared by all pebbles of the run.
  ///
  /// Pebbles of `other` may mention pebbles of this pond. In that case, `other` cannot be run on
  /// its own, but its copy can run as part of this pond.
  ///
  /// It is a fault to add a pond to itself, to use an empty name, or to give two clusters the same
  /// name; ``run(given:only:clock:within:learningFrom:holding:detached:)`` reports faults as a
  /// ``PondError``.
  ///
  /// - Parameters:
  ///   - other: The pond to copy.
  ///   - name: The name of the cluster, which must not be empty. The names of the copies begin with
  ///     this name and a slash. Pictures show the cluster as a box with this name.
  ///   - traits: Traits to apply to each copy. The pebble's own traits are applied last, so a
  ///     pebble that has its own timeout keeps it.
  /// - Returns: A handle that maps pebbles of `other` to their copies.
  /// - Complexity: O(pebbles + atoms of `other`).
  @discardableResult
  public func add(_ other: Pond, as name: String, _ traits: PebbleTrait...) -> Cluster {
    // The pond is kept alive until it has been copied, because a released pond discards its
    // pebbles.
    withExtendedLifetime(other) {
      let pebbles = definition.append(other.definition, as: name, traits)
      return Cluster(name, of: other.definition, in: definition, pebbles)
    }
  }
}
