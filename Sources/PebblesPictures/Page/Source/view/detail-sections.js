// The details of a pebble as data, which the page shows and copies as text.

// A section is `{ title, lines }`; a line is `{ depth, mark, moot, parts }`. The parts are texts
// and positions of pebbles.
const plain = (...parts) => ({ depth: 0, parts });
const mostListed = 12;

function sectionsOf(inspector, pebble) {
  const { run, earlier } = inspector;
  return [
    { lines: [plain(endingSentence(run, pebble)), ...rootLines(run, pebble)] },
    { title: 'When', lines: timeLines(run, pebble) },
    earlier && { title: 'Compared', lines: [plain(earlier.sentence(run, pebble))] },
    conditionSection(run, pebble),
    chainSection(run, pebble),
    listSection(run, 'Read by', run.readers.of(pebble)),
    { title: 'Given', lines: traitLines(run.pond.pebbles[pebble]) },
    nestedSection(run, pebble),
  ].filter(section => section && section.lines.length);
}

function endingSentence(run, pebble) {
  const { outcome, error, reason, waitingOn } = run.record(pebble);
  const capital = text => text.replace(/./u, letter => letter.toUpperCase());
  if (run.isOpen(pebble)) {
    const word = run.hasRun(pebble) ? 'Running' : 'Waiting';
    return `${word}: ${openText(run, pebble)}.`;
  }
  if (run.serviceText(pebble)) return `${capital(run.serviceText(pebble))}.`;
  if (run.hasRun(pebble)) {
    const done = capital(run.ending(pebble));
    const origin = run.origin(pebble);
    const text = done + (origin ? `, ${origin}` : ` after ${brief(run.took(pebble))}`);
    return outcome === 'failed' ? `${text}${error && ': '}${visible(error)}` : `${text}.`;
  }
  const at = brief(run.finished[pebble]);
  if (reason === 'stalled') {
    const names = (waitingOn ?? []).slice(0, 4).map(other => shortened(run.names[other], 30));
    return `Blocked in a stall at ${at}: it waited for ${names.join(', ')}, and these waited for it.`;
  }
  return `${skipVerb(run, pebble)} at ${at}: ${skipWords[reason] ?? reason}.`;
}

/// Returns the beginning of a sentence about a skip, to be followed by the reason.
function skipVerb(run, pebble) {
  return { [wasBlocked]: 'Blocked', [wasNotNeeded]: 'Not needed' }[run.ends[pebble]] ?? 'Skipped';
}

/// Returns the words for a skip, to follow the name of the pebble: `was blocked`.
function pastOf(run, pebble) { return `was ${skipVerb(run, pebble).toLowerCase()}`; }

/// Returns a line about the root cause of a skip; empty if the pebble was not skipped, or if no
/// other pebble is the root cause.
function rootLines(run, pebble) {
  if (run.hasRun(pebble)) return [];
  let root = pebble;
  for (let steps = 0; !run.hasRun(root) && run.causes[root] >= 0 && steps < run.count; steps++) {
    root = run.causes[root];
  }
  if (root === pebble) return [];
  const { error } = run.record(root);
  const word = run.hasRun(root) ? run.ending(root) : pastOf(run, root);
  return [plain('At the root, ', root, ` ${word}${because(error)}.`)];
}

function timeLines(run, pebble) {
  const { attempts, stillRunning, service, lateTeardownErrors } = run.record(pebble), lines = [];
  if (run.hasRun(pebble)) {
    const waited = run.waited(pebble) > 0 ? `, after ${brief(run.waited(pebble))} of waiting` : '';
    lines.push(plain(`ready ${brief(run.ready[pebble])}`),
      plain(`started ${brief(run.started[pebble])}${waited}`));
    const word = run.serviceText(pebble) ? 'came up' : 'finished';
    if (!run.isOpen(pebble)) lines.push(plain(`${word} ${brief(run.finished[pebble])}`));
  }
  (attempts ?? []).slice(0, mostListed).forEach(({ started, finished, error }, k) => {
    const ending = error === undefined ? 'succeeded' : shortened(error, 200);
    lines.push(plain(`attempt ${k + 1}, ${brief(finished - started)}: ${ending}`));
  });
  lines.push(...restLines(attempts ?? []));
  if (stillRunning) lines.push(plain('Its body went on after its time was up.'));
  const end = run.serviceEnd(pebble);
  if (end) {
    const { time, error } = end, unasked = service.down ? ' unasked' : '';
    const at = time === undefined ? '' : ` at ${brief(time)}`;
    lines.push(plain(`As a service it ended${unasked}${at}${because(error)}.`));
  }
  const again = service?.restartCount ?? service?.restarts?.length;
  if (again) lines.push(plain(`Its body was called again ${again > 1 ? `${again} times` : 'once'}.`));
  const teardowns = run.document.shutdown?.teardowns.filter(one => one.pebble === pebble) ?? [];
  const errors = [...lateTeardownErrors ?? [], ...teardowns.map(({ error }) => error)];
  for (const error of errors.slice(-mostListed)) {
    if (error !== undefined) lines.push(plain(`It could not be torn down${because(error)}.`));
  }
  return lines;
}

function conditionSection(run, pebble) {
  const title = run.hasRun(pebble) ? 'Why it ran'
    : run.isOpen(pebble) ? 'What it waits for' : 'Why it did not run';
  const { lines, omitted } = new ConditionLines(run, pebble);
  if (!lines.length) lines.push(plain('It has no condition: it starts with the run.'));
  if (omitted) lines.push(plain(`… and ${omitted} more parts`));
  return { title, lines };
}

/// Returns the longest chain to a pebble, with the durations of its pebbles; `null` if the pebble
/// waited for no other pebble.
function chainSection(run, pebble) {
  const chain = run.chain(pebble).slice(1);
  if (!chain.length) return null;
  const waits = { l: ' gave back what it waited for', m: ' left the main actor', s: ' ended last' };
  const lines = chain.slice(0, mostListed).map((other, k) => {
    const next = k ? chain[k - 1] : pebble;
    const took = run.hasRun(other) ? ` ${brief(run.took(other))}` : '';
    return { depth: 0, mark: run.mark(other),
      parts: [other, took, waits[run.waitKind(next)] ?? ''] };
  });
  lines.push(...restLines(chain));
  const length = brief(run.finished[pebble]);
  return { title: `What led here, back to the start: ${length}`, lines };
}

function listSection(run, title, pebbles) {
  const lines = pebbles.slice(0, mostListed).map(pebble =>
    ({ depth: 0, mark: run.mark(pebble), parts: [pebble] }));
  return { title: `${title} ${pebbles.length}`, lines: [...lines, ...restLines(pebbles)] };
}

function restLines({ length }, depth = 0) {
  return length > mostListed ? [{ depth, parts: [`… and ${length - mostListed} more`] }] : [];
}

function traitLines({ optional, timeout, uses = [], priority, service, blocking }) {
  return [
    service && 'It is a service.', blocking && 'It blocks its thread.',
    optional && 'It may be disabled.', timeout && `It may take ${brief(timeout)}.`,
    priority && `Its priority is ${priority}.`,
    ...uses.map(useSentence),
  ].filter(Boolean).map(text => plain(text));
}

function useSentence({ exclusive, resource, units, capacity }) {
  if (exclusive !== undefined) return `It has “${shortened(exclusive)}” for itself.`;
  return `It uses ${units}${capacity ? ` of ${capacity}` : ''} “${shortened(resource)}”.`;
}

function nestedSection({ document }, pebble) {
  return { title: 'Ponds it ran', lines: nestedLines(document, pebble, 0) };
}

/// Returns the lines about the ponds that a pebble ran. Each pond is followed by its pebbles,
/// failures first, and each of these pebbles by the ponds that it ran.
function nestedLines({ nested }, pebble, depth) {
  const inside = nested.filter(one => one.pebble === pebble).map(({ run }) => run);
  const lines = inside.slice(0, mostListed).flatMap(inner => {
    const all = [...inner.pebbles.entries()], isFailure = ([, one]) => one.outcome === 'failed';
    const listed = [...all.filter(isFailure), ...all.filter(one => !isFailure(one))];
    const title = `${shortened(inner.pond.name)}: ${counted(all.length)}, ${brief(inner.makespan)}`;
    return [{ depth, parts: [title] },
      ...listed.slice(0, mostListed).flatMap(([place, { name, outcome, started, finished, error }]) => [
        { depth: depth + 1, mark: endMarks[outcomeNames.indexOf(outcome)], parts: [
          shortened(name), started === undefined ? '' : ` ${brief(finished - started)}`,
          error === undefined ? '' : `: ${shortened(error, 200)}`] },
        ...nestedLines(inner, place, depth + 2)]),
      ...restLines(listed, depth + 1)];
  });
  return [...lines, ...restLines(inside, depth)];
}

/// Returns the sections about a group: how its pebbles ended, and where their time went.
function groupSections(inspector) {
  const { run, outline, pickedGroup } = inspector, counts = outline.countsOf(pickedGroup);
  const from = outline.froms[pickedGroup], to = outline.tos[pickedGroup];
  const own = outline.members(pickedGroup);
  const line = pebble => ({ depth: 0, mark: run.mark(pebble), parts: [pebble,
    run.hasRun(pebble) ? ` ${brief(run.took(pebble))}` : ''] });
  const bad = own.filter(pebble => [failed, wasBlocked].includes(run.ends[pebble]))
    .sort((one, other) =>
      run.ends[one] - run.ends[other] || run.finished[one] - run.finished[other]);
  const long = own.filter(pebble => run.hasRun(pebble) && !run.origin(pebble))
    .sort((one, other) => run.took(other) - run.took(one));
  const list = pebbles => [...pebbles.slice(0, mostListed).map(line), ...restLines(pebbles)];
  return [
    { lines: [plain(`${countsText(counts)}, from ${brief(from)} to ${brief(to)}.`)] },
    { title: `What failed or was blocked: ${grouped(bad.length)}`, lines: list(bad) },
    { title: 'Where the time went', lines: list(long) },
  ].filter(section => section.lines.length);
}

/// Returns the sections that are shown without a selection: the goal, and where the time went.
function blameSections(inspector) {
  const { run } = inspector, ran = [], onChain = new Set(run.longestChain);
  for (let pebble = 0; pebble < run.count; pebble++) {
    if (run.hasRun(pebble) && !run.origin(pebble)) ran.push(pebble);
  }
  ran.sort((one, other) => run.took(other) - run.took(one) || one - other);
  const lines = ran.slice(0, 20).map(pebble => {
    const hasWaited = run.waited(pebble) > run.makespan / 1000;
    const waited = hasWaited ? `, waited ${brief(run.waited(pebble))}` : '';
    const mark = run.mark(pebble);
    const chain = onChain.has(pebble) ? ', on the longest chain' : '';
    return { depth: 0, mark, parts: [pebble, ` ${brief(run.took(pebble))}${waited}${chain}`] };
  });
  const { goalReached } = run.document, was = goalReached ? 'was' : 'was not';
  const goal = run.network.goal < 0 ? [] : new ConditionLines(run, -1).lines;
  return [
    { lines: [plain('Select a pebble by a click or with ↓; ? lists all keys.')] },
    { title: `The goal${goalReached === undefined ? '' : ` ${was} reached`}`, lines: goal },
    { title: 'Where the time went', lines },
  ].filter(section => section.lines.length);
}

/// Returns all sections as text, for copying.
function textOf(run, title, sections) {
  const text = ({ depth, mark, parts }) => {
    const content = parts.map(part => typeof part === 'number' ? visible(run.names[part]) : part).join('');
    return `${'  '.repeat(depth)}${mark ? `${mark} ` : ''}${content}`;
  };
  return [title, ...sections.map(({ title: heading, lines }) =>
    [...(heading ? [`${heading}:`] : []), ...lines.map(text)].join('\n'))].join('\n\n');
}
