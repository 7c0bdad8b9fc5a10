/// The pebbles that one pond has taken over from another: what ``Pond/add(_:as:_:)`` returns.
///
/// ```swift
/// let cluster = boot.add(cache, as: "cache")
/// boot.pebble("warm", needs: cluster[entries], when: cluster.settled) { entries in … }
/// let report = try await boot.run()
/// report[cluster[entries]]
/// ```
///
/// Its conditions, from ``succeeded`` to ``settled``, are about all of its pebbles. It has no
/// `ready` of its own: each pebble keeps its condition, which is set through the subscript.
///
/// A small value; it does not keep either pond alive.
public struct Cluster: Sendable {
  /// What stands before the names of its pebbles.
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

  /// The copy of a pebble of the pond that was added.
  ///
  /// A pebble that has no copy here, because it belongs elsewhere or was defined later, is returned
  /// as it is. To mention it in a condition is then a ``PondError``, and reports do not know it.
  ///
  /// - Complexity: O(1).
  public subscript<Output>(pebble: Pebble<Output>) -> Pebble<Output> {
    let reference = pebble.reference
    guard original.includes(reference), reference.index < pebbles.count else { return pebble }
    return Pebble(
      reference: PebbleReference(
        definition: definition, index: reference.index + UInt32(pebbles.lowerBound)))
  }

  /// The copy of a cluster of the pond that was added.
  ///
  /// A cluster that has no copy here is returned as it is.
  ///
  /// - Complexity: O(length of the names).
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

  /// A condition over pebbles of the pond that was added as one over their copies.
  ///
  /// ```swift
  /// let locked = store.failed("locked") { … }
  /// let cluster = boot.add(cache, as: "cache")
  /// boot.pebble("showUnlock", when: cluster[locked])
  /// ```
  ///
  /// Pebbles and cases that have no copy here, because they belong elsewhere or were defined later,
  /// stay what they are. To mention them is then a ``PondError``.
  ///
  /// - Complexity: O(operands) of the condition.
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

// What a pebble has, said of all pebbles of a cluster. A cluster without pebbles is all of it but
// failed.
extension Cluster {
  /// True when every pebble of the cluster has succeeded; false as soon as one failed or was
  /// skipped.
  ///
  /// - Complexity: O(pebbles).
  public var succeeded: Condition { .all(atoms(.succeeded)) }

  /// True as soon as a pebble of the cluster has failed, whatever became of that; false when every
  /// pebble has succeeded or was skipped.
  ///
  /// As for a pebble, it says more than `!succeeded`, which is true as well when none has failed
  /// but one was skipped.
  ///
  /// - Complexity: O(pebbles).
  public var failed: Condition { .any(atoms(.failed)) }

  /// True when every pebble of the cluster was skipped: nothing of it ran.
  ///
  /// - Complexity: O(pebbles).
  public var skipped: Condition { .all(atoms(.skipped)) }

  /// True when every pebble of the cluster ran to an end, well or badly; false as soon as one was
  /// skipped.
  ///
  /// - Complexity: O(pebbles).
  public var completed: Condition { .all(atoms(.completed)) }

  /// True when every pebble of the cluster has an outcome, whichever.
  ///
  /// - Complexity: O(pebbles).
  public var settled: Condition { .all(atoms(.settled)) }
}

extension Cluster: Hashable {
  /// Whether both are the same pebbles of the same pond.
  public static func == (left: Cluster, right: Cluster) -> Bool {
    left.name == right.name && left.pebbles == right.pebbles
      && left.definition === right.definition && left.original === right.original
  }

  /// Hashes which pebbles they are.
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
  /// Takes a copy of another pond in, as a part of this one.
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
  /// The pebbles come with their conditions, inputs and options, as they are at this moment: later
  /// changes of `other` are not seen, and changes made here through its subscript do
  /// not change `other`. A pond may be added several times, under different names, and what is
  /// added may have been put together from others itself.
  ///
  /// What `other` has around its pebbles stays around them, inside of what this pond has around
  /// all. Its `maxConcurrent` goes on to limit its own pebbles. Its failure policy is left behind:
  /// a run has one. Exclusive keys and resources of one name are one thing in the whole run.
  ///
  /// Pebbles of `other` may mention pebbles of this pond. `other` cannot run alone then, but what
  /// is taken in here can.
  ///
  /// Adding a pond to itself, an empty name, and a name given to two clusters are faults, which
  /// ``run(given:only:clock:within:learningFrom:holding:detached:)`` reports as a ``PondError``.
  ///
  /// - Parameters:
  ///   - other: The pond to copy.
  ///   - name: What is put before the names of the copies, with a slash; any text but the empty
  ///     one. Pictures draw a box of this name.
  ///   - traits: What each of the copies is given, before what the pebble has itself: a pebble with
  ///     a timeout of its own keeps that.
  /// - Returns: A handle that leads from pebbles of `other` to their copies.
  /// - Complexity: O(pebbles + atoms) of `other`.
  @discardableResult
  public func add(_ other: Pond, as name: String, _ traits: PebbleTrait...) -> Cluster {
    // A pond that goes away takes its pebbles with it.
    withExtendedLifetime(other) {
      let pebbles = definition.append(other.definition, as: name, traits)
      return Cluster(name, of: other.definition, in: definition, pebbles)
    }
  }
}
