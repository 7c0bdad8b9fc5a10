import Pebbles

/// Ponds like files of Docker Compose, with `service_healthy`, `service_started`,
/// `service_completed_successfully` and restart policies.
extension HealthyPond {
  static let composeFiles = [
    HealthyPond("compose: web, database, cache") { pond in
      let database = pond.service("db") { ready in ready() }
      let cache = pond.service("redis") { ready in ready() }
      let migrate = pond.pebble("migrate", when: database.succeeded) {}
      // Files name what they use, be it waited for already.
      let web = pond.service(
        "web", when: database.succeeded && cache.succeeded && migrate.succeeded
      ) { ready in ready() }
      pond.service("worker", when: cache.succeeded && migrate.succeeded) { ready in ready() }
      pond.service("nginx", when: web.succeeded) { ready in ready() }
    },
    HealthyPond("compose: voting app") { pond in
      let redis = pond.service("redis") { ready in ready() }
      let database = pond.service("db") { ready in ready() }
      pond.service("vote", when: redis.succeeded) { ready in ready() }
      pond.service("result", when: database.succeeded) { ready in ready() }
      pond.service("worker", when: redis.succeeded && database.succeeded) { ready in ready() }
      pond.pebble("seed", .enabled { false }, when: database.succeeded) {}
    },
    HealthyPond("compose: event streaming", onFailure: .cancelAll) { pond in
      let zookeeper = pond.service("zookeeper") { ready in ready() }
      let brokers = (1...3).map { number in
        pond.service("kafka-\(number)", .retry(.attempts(3)), when: zookeeper.succeeded) {
          ready in ready()
        }
      }
      let topics = pond.pebble("create-topics", when: .any(brokers.map(\.succeeded))) {}
      let registry = pond.service("schema-registry", when: .all(brokers.map(\.succeeded))) {
        ready in ready()
      }
      pond.service("connect", when: topics.succeeded && registry.succeeded) { ready in ready() }
      pond.service("ui", when: registry.completed) { ready in ready() }
    },
    HealthyPond("compose: monitoring") { pond in
      let exporters = ["node", "cadvisor", "blackbox"].map { name in
        pond.service("\(name)-exporter") { ready in ready() }
      }
      let prometheus = pond.service("prometheus", when: .all(exporters.map(\.settled))) {
        ready in ready()
      }
      let alerts = pond.service("alertmanager") { ready in ready() }
      pond.service("grafana", when: prometheus.succeeded) { ready in ready() }
      pond.pebble("load-rules", when: prometheus.succeeded && alerts.succeeded) {}
    },
    HealthyPond("compose: profiles") { pond in
      let database = pond.service("db", .timeout(.seconds(30))) { ready in ready() }
      let mail = pond.service("mailhog", .enabled { true }) { ready in ready() }
      let debug = pond.service("debugger", .enabled { false }) { ready in ready() }
      let app = pond.service(
        "app", when: database.succeeded && (mail.succeeded || mail.skipped)
      ) { ready in ready() }
      pond.pebble("attach", when: debug.succeeded && app.succeeded) {}
      pond.pebble("smoke", when: app.succeeded) {}
    },
  ]
}
