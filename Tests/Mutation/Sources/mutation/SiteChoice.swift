/// A choice of the sites of a source at which mutants are made.
///
/// The kinds take turns, and the sites of each kind are chosen by their fingerprints. The choice is
/// therefore the same each time, and a change to the source hardly affects it elsewhere.
struct SiteChoice {
  private(set) var chosen: [(id: String, site: Site)] = []

  init(_ sites: [Site], in file: String, quota: Int) {
    var counts: [String: Int] = [:]
    var byKind: [MutantKind: [(id: String, site: Site)]] = [:]
    for site in sites {
      let identity = [file, site.function, site.kind.rawValue, site.before, site.after]
        .joined(separator: "\n")
      let ordinal = counts[identity, default: 0]
      counts[identity] = ordinal + 1
      byKind[site.kind, default: []].append(("\(identity)\n\(ordinal)".fingerprint, site))
    }
    byKind = byKind.mapValues { sites in sites.sorted { $0.id > $1.id } }
    choose(quota, from: &byKind)
    let negated = Set(chosen.filter { !$0.site.surrounds }.map(\.site.range))
    chosen.removeAll { _, site in
      site.isIdle || site.isPlainNegation && negated.contains(site.range)
    }
    chosen.sort { $0.site.range.lowerBound < $1.site.range.lowerBound }
  }

  private mutating func choose(
    _ quota: Int, from byKind: inout [MutantKind: [(id: String, site: Site)]]
  ) {
    while chosen.count < quota, byKind.values.contains(where: { !$0.isEmpty }) {
      for kind in MutantKind.allCases where chosen.count < quota {
        while let next = byKind[kind]?.popLast() {
          guard !chosen.contains(where: { Self.exclude($0.site, next.site) }) else { continue }
          chosen.append(next)
          break
        }
      }
    }
  }

  /// Returns whether one site replaces code that the other site changes.
  static func exclude(_ a: Site, _ b: Site) -> Bool {
    a.edits.contains { one in
      b.edits.contains { other in
        if one.range.isEmpty && other.range.isEmpty { return false }
        if one.range.isEmpty { return isInside(one.range.lowerBound, other.range) }
        if other.range.isEmpty { return isInside(other.range.lowerBound, one.range) }
        return one.range.overlaps(other.range)
      }
    }
  }

  private static func isInside(_ place: Int, _ range: Range<Int>) -> Bool {
    range.lowerBound < place && place < range.upperBound
  }
}
