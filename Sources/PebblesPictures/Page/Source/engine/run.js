// A run as columns: one typed array for each property, so that a hundred thousand pebbles are a few
// arrays and not a hundred thousand objects.

const succeeded = 0, failed = 1, skipped = 2, unsettled = 255;
const outcomeNames = ['succeeded', 'failed', 'skipped'];

class Run {
  /// `document` is a run in the documented JSON format. `waits` is what each pebble waited for
  /// last, as the analysis found out; without it, the pebble that decided its condition stands in.
  constructor(document, waits) {
    const { pond, pebbles } = document, count = pebbles.length;
    this.document = document;
    this.pond = pond;
    this.count = count;
    this.makespan = document.makespan;
    this.names = pebbles.map(pebble => pebble.name);
    this.outcomes = Uint8Array.from(pebbles, pebble => outcomeNames.indexOf(pebble.outcome));
    // The places of the cases that held.
    this.held = pebbles.map(pebble => pebble.case);
    this.ready = Float64Array.from(pebbles, pebble => pebble.ready ?? NaN);
    this.started = Float64Array.from(pebbles, pebble => pebble.started ?? NaN);
    this.finished = Float64Array.from(pebbles, pebble => pebble.finished);
    this.causes = Int32Array.from(pebbles, pebble => pebble.decidedBy ?? -1);
    this.awaited = waits ? Int32Array.from(waits.awaited) : this.causes;
    this.waitKinds = waits ? waits.kinds : '';
    this.last = waits ? waits.last : this.lastToEnd();
    this.countEnds();
  }

  countEnds() {
    this.counts = endNames.map(() => 0);
    for (const end of this.ends) this.counts[end]++;
  }

  get positions() {
    return this.knownPositions ??= new Map(this.names.map((name, position) => [name, position]));
  }

  get network() { return this.knownNetwork ??= new Network(this.pond); }

  /// How each pebble ended, with the kinds of skips told apart.
  get ends() {
    return this.knownEnds ??= this.isLive ? this.endsSoFar : endsOf(
      this.outcomes.includes(skipped) ? this.network : null, this.outcomes,
      this.document.pebbles.map(({ reason }) => reason), this.held);
  }

  get readers() { return this.knownReaders ??= new Readers(this.network); }

  /// Whether its body has been called.
  hasRun(pebble) { return this.outcomes[pebble] !== skipped && this.started[pebble] >= 0; }

  /// Whether it has not settled, in a run that is under way.
  isOpen(pebble) { return this.outcomes[pebble] === unsettled; }

  isService(pebble) { return this.pond.pebbles[pebble].service; }

  caseText(pebble, word, held) { return caseText(this.pond.pebbles[pebble], word, held); }

  /// How a pebble ended that ran, with its cases.
  ending(pebble) {
    return this.caseText(pebble, outcomeNames[this.outcomes[pebble]], this.held[pebble]);
  }

  /// The sign of how a pebble ended.
  mark(pebble) { return endMarks[this.ends[pebble]]; }

  /// What the style calls how it ended.
  style(pebble) {
    return styleOf(this.ends[pebble]);
  }

  took(pebble) { return this.hasRun(pebble) ? this.finished[pebble] - this.started[pebble] : 0; }

  waited(pebble) {
    if (this.hasRun(pebble)) return this.started[pebble] - this.ready[pebble];
    return this.isOpen(pebble) && this.ready[pebble] >= 0
      ? this.finished[pebble] - this.ready[pebble] : 0;
  }

  /// When its condition was decided.
  decided(pebble) {
    return this.ready[pebble] >= 0 && this.outcomes[pebble] !== skipped
      ? this.ready[pebble] : this.finished[pebble];
  }

  /// Until when there is something to be seen of it: a service may be up until the end of the run.
  until(pebble) { return Math.max(this.finished[pebble], this.upUntil(pebble)); }

  /// From when until when there is something to be seen of each, as columns.
  get spans() {
    if (this.knownSpans) return this.knownSpans;
    const from = new Float64Array(this.count), to = new Float64Array(this.count);
    for (let pebble = 0; pebble < this.count; pebble++) {
      from[pebble] = this.decided(pebble);
      to[pebble] = this.until(pebble);
    }
    return this.knownSpans = { from, to };
  }

  /// Until when a service that came up was up; 0 for what is none.
  upUntil(pebble) {
    if (!this.isService(pebble) || this.outcomes[pebble] !== succeeded) return 0;
    const { service } = this.record(pebble);
    return Math.min(service?.end?.time ?? this.makespan, this.makespan);
  }

  record(pebble) { return this.document.pebbles[pebble]; }

  isGiven(pebble) { return this.pond.pebbles[pebble].given; }

  /// Why it was not called though it has succeeded, if so.
  origin(pebble) {
    const { kept } = this.record(pebble);
    if (kept === true) return 'kept from an earlier run';
    if (kept !== undefined) return `kept from run ${shortened(kept)}`;
    return this.hasRun(pebble) && this.isGiven(pebble) && 'given';
  }

  lastToEnd() {
    let last = -1;
    for (let pebble = 0; pebble < this.count; pebble++) {
      if (!this.hasRun(pebble)) continue;
      if (last < 0 || this.finished[pebble] >= this.finished[last]) last = pebble;
    }
    return last;
  }

  /// What a service that came up has been since; nothing for what is none.
  serviceText(pebble) {
    if (!this.isService(pebble) || this.outcomes[pebble] !== succeeded) return '';
    const { service, kept } = this.record(pebble), { end } = service ?? {};
    const again = service?.restartCount ?? service?.restarts?.length ?? 0;
    const times = again ? `, started again ${again > 1 ? `${again} times` : 'once'}` : '';
    const now = end && service.down ? `, down since ${brief(end.time)}`
      : end ? `, ${end.asked ? 'stopped' : 'ended'} at ${brief(end.time)}`
        : this.document.shutdown && !this.isLive ? ', stopped in the shutdown' : ', still up';
    const ready = kept === undefined
      ? `ready after ${brief(this.took(pebble))}` : this.origin(pebble);
    return ready + times + now;
  }

  /// The longest chain to a pebble, which comes first, back to what waited for nothing.
  chain(to) {
    const chain = [];
    for (let pebble = to; pebble >= 0 && chain.length < this.count; pebble = this.awaited[pebble]) {
      chain.push(pebble);
    }
    return chain;
  }

  get longestChain() { return this.knownChain ??= this.chain(this.last); }

  /// What a pebble waited for last: `d`ependency, `l`imit, `m`ain actor, `s`tall.
  waitKind(pebble) { return this.waitKinds[pebble] ?? 'd'; }
}

const isTime = value => Number.isFinite(value) && value >= 0;

/// The run in a file: a document, or a page that has one in it; `null` if there is none.
function documentIn(text) {
  const element = / id="run">([^<]*)</.exec(text);
  try {
    const document = JSON.parse(element ? element[1] : text), { pond, pebbles } = document;
    const isRun = document.format === 'pond run' && document.version === 1
      && isTime(document.makespan) && pond.pebbles.length === pebbles.length
      && pebbles.every(({ name, outcome, started, finished }) =>
        typeof name === 'string' && outcomeNames.includes(outcome) && isTime(finished)
        && (outcome === 'skipped' || isTime(started)));
    return isRun ? document : null;
  } catch {
    return null;
  }
}
