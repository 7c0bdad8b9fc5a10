// The verdict on the run as a whole.

function pebbleLink(run, pebble) {
  return element('a', { href: linkTo(run, pebble) }, shortened(run.names[pebble]));
}

function showVerdict(inspector) {
  const { run, earlier } = inspector, verdict = byID('verdict');
  if (run.isLive) return showProgress(inspector);
  byID('title').replaceChildren(
    element('bdi', {}, shortened(run.pond.name, 120)), ` · ${brief(run.makespan)}`);
  const counts = countsText(run.counts);
  verdict.replaceChildren(counts ? `${counts}. ` : 'It has no pebbles. ');
  for (const end of [failed, wasBlocked]) {
    if (run.counts[end]) verdict.append(...namesSentence(run, end));
  }
  const { cancellation, shutdown } = run.document;
  if (cancellation) verdict.append(`The run was cancelled${because(cancellation.reason)}. `);
  else if (shutdown?.reason) {
    const time = shutdown.started === undefined ? '' : ` after ${brief(shutdown.started)}`;
    verdict.append(`The run was shut down${time}${because(shutdown.reason)}. `);
  }
  if (run.last >= 0) verdict.append(...chainSentence(run));
  if (earlier) {
    const { makespan, pond } = earlier.run;
    const which = pond.name === run.pond.name ? ['the earlier run']
      : ['a run of another pond, “', element('bdi', {}, shortened(pond.name)), '”,'];
    verdict.append(' Compared with ', ...which, ` of ${brief(makespan)}: `,
      `${differenceText(run.makespan - makespan)}.`);
  }
}

/// Shows the start time, the host and the program version of the run, as far as they are known.
function showOrigin({ document: { origin } }) {
  const { started, host, version } = origin ?? {}, parts = [];
  // A time that a date cannot represent would be an error.
  if (started <= 8.64e21) {
    const date = new Date(started / 1e6).toISOString();
    const text = `${date.slice(0, 10)} ${date.slice(11, 19)} UTC`;
    parts.push(element('time', { datetime: date }, text));
  }
  for (const [word, text] of [['on', host], ['version', version]]) {
    if (!text) continue;
    parts.push(parts.length ? `, ${word} ` : `${word} `, element('bdi', {}, shortened(text)));
  }
  byID('origin').replaceChildren(...parts);
  byID('origin').hidden = !parts.length;
}

/// Returns a sentence that names the first pebbles that have the given end.
function namesSentence(run, end) {
  const count = run.counts[end], named = [];
  for (let pebble = 0; pebble < run.count && named.length < 3; pebble++) {
    if (run.ends[pebble] === end) named.push(pebble);
  }
  const content = named.flatMap((pebble, place) => {
    const error = shortened(run.record(pebble).error ?? '');
    const said = error ? [' (', element('bdi', {}, error), ')'] : [];
    return [place ? ', ' : end === failed ? 'Failed: ' : 'Blocked: ', pebbleLink(run, pebble), ...said];
  });
  return [...content, count > 3 ? ` and ${grouped(count - 3)} more. ` : '. '];
}

function chainSentence(run) {
  const { longestChain } = run;
  const longest = longestChain.filter(pebble => run.hasRun(pebble))
    .sort((one, other) => run.took(other) - run.took(one)).slice(0, 3);
  return [
    'The longest chain is ', element('b', {}, brief(run.finished[run.last])),
    ` of ${counted(longestChain.length)}; most of it: `,
    ...longest.flatMap((pebble, place) =>
      [place ? ', ' : '', pebbleLink(run, pebble), ` ${brief(run.took(pebble))}`]), '.',
  ];
}
