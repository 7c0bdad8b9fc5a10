import Pebbles

/// The boot of a real app, Oovium, as its author published it with Acheron (2022). The names and
/// conditions are as published; the bodies do nothing.
package struct PublishedBoot {
  package let pond = Pond("oovium-boot")
  package let loadOTID, loadToken, loadUser, needNotMigrate, ping, queryCloud: Pebble<Void>
  package let migrate, isLocallySubscribed, isRemotelySubscribed: Pebble<Void>
  package let userLogin, receiptValidation, otidLogin: Pebble<Void>
  package let showOffline, showSubscribe, showSignUp, startOovium, invalid: Pebble<Void>

  /// The pebbles that show a screen. The user should see one of them at the end of the boot, but
  /// some scenarios end with none or with several.
  package var screens: [Pebble<Void>] {
    [showOffline, showSubscribe, showSignUp, startOovium, invalid]
  }

  package init() {
    loadOTID = pond.pebble("loadOTID") {}
    loadToken = pond.pebble("loadToken") {}
    loadUser = pond.pebble("loadUser") {}
    needNotMigrate = pond.pebble("needNotMigrate") {}
    ping = pond.pebble("ping") {}
    queryCloud = pond.pebble("queryCloud") {}
    migrate = pond.pebble("migrate", when: needNotMigrate.failed) {}
    isLocallySubscribed = pond.pebble("isLocallySubscribed", when: loadToken.succeeded) {}
    isRemotelySubscribed = pond.pebble(
      "isRemotelySubscribed", when: ping.succeeded && isLocallySubscribed.failed
    ) {}
    userLogin = pond.pebble(
      "userLogin", when: ping.succeeded && loadToken.failed && loadUser.succeeded
    ) {}
    let hasNoUser = loadUser.failed || userLogin.failed
    receiptValidation = pond.pebble(
      "receiptValidation",
      when: ping.succeeded && loadToken.failed && loadOTID.failed && hasNoUser
    ) {}
    otidLogin = pond.pebble(
      "otidLogin",
      when: ping.succeeded && loadToken.failed
        && (loadOTID.succeeded || receiptValidation.succeeded) && hasNoUser
    ) {}
    let isSubscribed = isLocallySubscribed.succeeded || isRemotelySubscribed.succeeded
    showOffline = pond.pebble("showOffline", when: ping.failed && loadToken.failed) {}
    showSubscribe = pond.pebble(
      "showSubscribe",
      when: ping.succeeded && (receiptValidation.failed || isRemotelySubscribed.failed)
    ) {}
    showSignUp = pond.pebble(
      "showSignUp",
      when: ping.succeeded && loadToken.succeeded && loadOTID.succeeded && isSubscribed
        && loadUser.failed
    ) {}
    startOovium = pond.pebble(
      "startOovium",
      when: loadToken.succeeded && loadOTID.succeeded && (loadUser.succeeded || ping.failed)
        && isSubscribed && (needNotMigrate.succeeded || migrate.succeeded)
        && queryCloud.succeeded
    ) {}
    invalid = pond.pebble("invalid", when: loadToken.succeeded && loadOTID.failed) {}
  }
}
