import Pebbles

extension BootShape {
  /// Adds the boot of the app Oovium once for each tenant. The app's author published this boot
  /// together with Acheron (2022). Each boot begins when the previous one has started the app or
  /// found it to be offline.
  func addBoots(to pond: Pond, _ size: Int) {
    var isTurn = Condition.always
    for tenant in 0..<max(1, size / 17) { isTurn = addBoot(of: tenant, to: pond, when: isTurn) }
  }

  private func addBoot(of tenant: Int, to pond: Pond, when isTurn: Condition) -> Condition {
    func pebble(_ name: String, when condition: Condition) -> Pebble<Void> {
      pond.pebble("\(name) \(tenant)", when: condition) {}
    }
    let loadOTID = pebble("loadOTID", when: isTurn)
    let loadToken = pebble("loadToken", when: isTurn)
    let loadUser = pebble("loadUser", when: isTurn)
    let needNotMigrate = pebble("needNotMigrate", when: isTurn)
    let ping = pebble("ping", when: isTurn)
    let queryCloud = pebble("queryCloud", when: isTurn)
    let migrate = pebble("migrate", when: needNotMigrate.failed)
    let isLocallySubscribed = pebble("isLocallySubscribed", when: loadToken.succeeded)
    let isRemotelySubscribed = pebble(
      "isRemotelySubscribed", when: ping.succeeded && isLocallySubscribed.failed)
    let needsLogin = ping.succeeded && loadToken.failed
    let userLogin = pebble("userLogin", when: needsLogin && loadUser.succeeded)
    let hasNoUser = loadUser.failed || userLogin.failed
    let receiptValidation = pebble(
      "receiptValidation", when: needsLogin && loadOTID.failed && hasNoUser)
    let hasReceipt = loadOTID.succeeded || receiptValidation.succeeded
    _ = pebble("otidLogin", when: needsLogin && hasReceipt && hasNoUser)
    let isSubscribed = isLocallySubscribed.succeeded || isRemotelySubscribed.succeeded
    let showOffline = pebble("showOffline", when: ping.failed && loadToken.failed)
    let isRefused = receiptValidation.failed || isRemotelySubscribed.failed
    _ = pebble("showSubscribe", when: ping.succeeded && isRefused)
    let isKnown = loadToken.succeeded && loadOTID.succeeded && isSubscribed
    _ = pebble("showSignUp", when: ping.succeeded && isKnown && loadUser.failed)
    let isMigrated = needNotMigrate.succeeded || migrate.succeeded
    let hasUser = loadUser.succeeded || ping.failed
    let start = pebble(
      "startOovium", when: isKnown && hasUser && isMigrated && queryCloud.succeeded)
    _ = pebble("invalid", when: loadToken.succeeded && loadOTID.failed)
    return start.succeeded || showOffline.succeeded
  }
}
