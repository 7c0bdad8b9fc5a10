import Pebbles

/// The boot of the Oovium app, as its author publishes it in the README of Acheron (2022): names
/// and conditions.
struct OoviumBoot {
  let pond = Pond("oovium-boot")

  init() {
    let loadOTID = pond.pebble("loadOTID") {}
    let loadToken = pond.pebble("loadToken") {}
    let loadUser = pond.pebble("loadUser") {}
    let needNotMigrate = pond.pebble("needNotMigrate") {}
    let ping = pond.pebble("ping") {}
    let queryCloud = pond.pebble("queryCloud") {}
    let migrate = pond.pebble("migrate", when: needNotMigrate.failed) {}
    let isLocallySubscribed = pond.pebble("isLocallySubscribed", when: loadToken.succeeded) {}
    let isRemotelySubscribed = pond.pebble(
      "isRemotelySubscribed", when: ping.succeeded && isLocallySubscribed.failed
    ) {}
    let userLogin = pond.pebble(
      "userLogin", when: ping.succeeded && loadToken.failed && loadUser.succeeded
    ) {}
    let hasNoUser = loadUser.failed || userLogin.failed
    let receiptValidation = pond.pebble(
      "receiptValidation",
      when: ping.succeeded && loadToken.failed && loadOTID.failed && hasNoUser
    ) {}
    pond.pebble(
      "otidLogin",
      when: ping.succeeded && loadToken.failed
        && (loadOTID.succeeded || receiptValidation.succeeded) && hasNoUser
    ) {}
    pond.pebble("showOffline", when: ping.failed && loadToken.failed) {}
    pond.pebble(
      "showSubscribe",
      when: ping.succeeded && (receiptValidation.failed || isRemotelySubscribed.failed)
    ) {}
    let isSubscribed = isLocallySubscribed.succeeded || isRemotelySubscribed.succeeded
    pond.pebble(
      "showSignUp",
      when: ping.succeeded && loadToken.succeeded && loadOTID.succeeded && isSubscribed
        && loadUser.failed
    ) {}
    pond.pebble(
      "startOovium",
      when: loadToken.succeeded && loadOTID.succeeded && (loadUser.succeeded || ping.failed)
        && isSubscribed && (needNotMigrate.succeeded || migrate.succeeded)
        && queryCloud.succeeded
    ) {}
    pond.pebble("invalid", when: loadToken.succeeded && loadOTID.failed) {}
  }
}
