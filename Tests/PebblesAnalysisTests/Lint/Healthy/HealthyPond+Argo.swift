import Pebbles

/// Ponds like workflows of Argo, where `depends: A` means `A.Succeeded || A.Skipped || A.Daemoned`.
extension HealthyPond {
  static let argoWorkflows = [
    HealthyPond("argo: diamond") { pond in
      let a = pond.pebble("A") {}
      let b = pond.pebble("B", when: a.succeeded || a.skipped) {}
      let c = pond.pebble("C", when: a.succeeded || a.skipped) {}
      pond.pebble("D", when: (b.succeeded || b.skipped) && (c.succeeded || c.skipped)) {}
    },
    HealthyPond("argo: coin flip") { pond in
      let flip = pond.pebble("flip") {}
      let heads = pond.pebble("heads", when: flip.succeeded) {}
      let tails = pond.pebble("tails", when: flip.failed) {}
      pond.pebble("count", when: heads.succeeded || tails.succeeded) {}
    },
    HealthyPond("argo: enhanced depends") { pond in
      let a = pond.pebble("A") {}
      let b = pond.pebble("B", when: a.succeeded) {}
      let c = pond.pebble("C", when: a.failed) {}
      pond.pebble("should-execute-1", when: b.succeeded && (c.succeeded || c.skipped)) {}
      pond.pebble("should-execute-2", when: b.succeeded || c.failed) {}
      pond.pebble("always", when: b.succeeded || b.failed || b.skipped) {}
    },
    HealthyPond("argo: map, reduce, exit handler") { pond in
      let split = pond.pebble("split") {}
      let maps = (0..<8).map { number in
        pond.pebble("map-\(number)", .retry(.attempts(2)), when: split.succeeded) {}
      }
      let reduce = pond.pebble("reduce", when: .all(maps.map(\.succeeded))) {}
      let all = [split.settled, reduce.settled] + maps.map(\.settled)
      let exit = pond.pebble("exit-handler", when: .all(all)) {}
      pond.pebble("celebrate", when: exit.succeeded && reduce.succeeded) {}
      pond.pebble("cry", when: exit.succeeded && !reduce.succeeded) {}
    },
    HealthyPond("argo: training", onFailure: .cancelAll) { pond in
      let fetch = pond.pebble("fetch-data", .retry(.attempts(5))) {}
      let clean = pond.pebble("clean", when: fetch.succeeded) {}
      let trees = pond.pebble("train-trees", when: clean.succeeded) {}
      let network = pond.pebble("train-network", .enabled { true }, when: clean.succeeded) {}
      let choose = pond.pebble(
        "choose", when: (trees.succeeded || network.succeeded) && network.settled
      ) {}
      pond.pebble("register", when: choose.succeeded) {}
    },
  ]
}
