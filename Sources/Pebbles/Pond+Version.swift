extension Pond {
  /// The version of this package, as its programs say it: `pond --version`.
  ///
  /// Versions follow [Semantic Versioning](https://semver.org). Between two releases, it is the
  /// version of the next one with `-dev` behind it.
  public static let packageVersion = "0.1.0"
}
