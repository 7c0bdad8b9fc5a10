// What is to be said of the run as a whole.

function pebbleLink(run, pebble) {
  return element('a', { href: linkTo(run, pebble) }, shortened(run.names[pebble]));
}

function showVerdict(inspector) {
  const { run, earlier } = inspector, verdict = byID('verdict');
  byID('title').replaceChildren(
    element('bdi', {}, shortened(run.pond.name, 120)), ` · ${brief(run.makespan)}`);
  const parts = endNames.flatMap((name, end) =>
    run.counts[end] ? [`${grouped(run.counts[end])} ${name}`] : []);
  verdict.replaceChildren(parts.length ? `${parts.join(', ')}. ` : 'It has no pebbles. ');
  for (const end of [failed, wasBlocked]) {
    if (run.counts[end]) verdict.append(...namesSentence(run, end));
  }
  const { cancellation } = run.document;
  if (cancellation) verdict.append(`The run was cancelled${because(cancellation.reason)}. `);
  if (run.last >= 0) verdict.append(...chainSentence(run));
  if (earlier) {
    verdict.append(` Compared with the earlier run of ${brief(earlier.run.makespan)}: `,
      `${differenceText(run.makespan - earlier.run.makespan)}.`);
  }
}

/// The first of those that ended in this way.
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
