import Pebbles

/// Ponds that start apps and servers, with fallbacks, mirrors, logins and screens.
extension HealthyPond {
  static let appBoots = [
    HealthyPond("boot: stale data beats no data") { pond in
      let launches = pond.pebble("loadLaunches", .retry(.attempts(4))) {}
      let cores = pond.pebble("loadCores", .timeout(.seconds(5))) {}
      let ping = pond.pebble("ping") {}
      pond.pebble("refresh", when: launches.completed && cores.completed) {}
      pond.pebble("showOffline", when: ping.failed && cores.failed) {}
    },
    HealthyPond("boot: mirrors") { pond in
      let first = pond.pebble("mirror-eu") {}
      let second = pond.pebble("mirror-us") {}
      let third = pond.pebble("mirror-asia", when: first.failed && second.failed) {}
      let found = first.succeeded || second.succeeded || third.succeeded
      let unpack = pond.pebble("unpack", when: found) {}
      pond.pebble("useBundled", when: third.failed || unpack.failed) {}
      pond.pebble("cleanDownloads", when: unpack.settled) {}
    },
    HealthyPond("boot: login") { pond in
      let token = pond.pebble("loadToken") {}
      let renew = pond.pebble("renewToken", when: token.failed) {}
      let user = pond.pebble("loadUser", when: token.succeeded || renew.succeeded) {}
      pond.pebble("showHome", when: user.succeeded) {}
      pond.pebble("showSignIn", when: renew.failed) {}
      pond.pebble("showRetry", when: user.failed) {}
    },
    HealthyPond("boot: database") { pond in
      let open = pond.pebble("openStore") {}
      let unlock = pond.pebble("askForPassword", when: open.failed) {}
      let again = pond.pebble("openAgain", when: unlock.succeeded) {}
      let isOpen = (open.succeeded || again.succeeded).labeled("the store is open")
      pond.pebble("showBroken", when: unlock.failed || again.failed) {}
      let migrate = pond.pebble("migrate", when: isOpen) {}
      pond.pebble("start", when: migrate.succeeded) {}
      pond.pebble("restoreBackup", when: migrate.failed) {}
    },
    HealthyPond("boot: server", onFailure: .cancelAll) { pond in
      let settings = pond.pebble("readSettings") { 1 }
      let database = pond.service("database", needs: settings) { ready, _ in ready() }
      let cache = pond.service("cache", needs: settings) { ready, _ in ready() }
      let warm = pond.pebble("warmCache", when: cache.succeeded && database.succeeded) {}
      let http = pond.service("http", when: database.succeeded && cache.completed) {
        ready in ready()
      }
      pond.pebble("announce", when: http.succeeded && warm.settled) {}
      pond.pebble("telemetry", .enabled { true }) {}
    },
    HealthyPond("boot: beta features") { pond in
      let flags = pond.pebble("flags") {}
      let beta = pond.pebble("beta", .enabled { false }, when: flags.succeeded) {}
      let plain = pond.pebble("plain", when: beta.skipped || beta.failed) {}
      pond.pebble("ready", when: beta.succeeded || plain.succeeded) {}
      pond.pebble("log", when: flags.settled && beta.settled && plain.settled) {}
    },
  ]
}
