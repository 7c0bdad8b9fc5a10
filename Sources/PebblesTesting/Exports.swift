// Whoever tests a pond works with ponds, reports and laws: one import is enough.
@_exported public import Pebbles
@_exported public import PebblesAnalysis
