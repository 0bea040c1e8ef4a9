import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { INSTITUTE_ID, SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { SEED } from '../../../faults/fuzz.ts';
import { cleanUp } from '../engine/engine-process.ts';
import { deadLetters, startKillable } from '../engine/kills/killed-work.ts';
import { enterConsole, fileOf } from './console.ts';
import { killAtRandom, type Progress } from './kill-at-random.ts';
import { type TableLine, tableOf } from './table.ts';

const START_MS = 120_000;
const LINES = 500;
const BAD = 10;
const KILLS = 3;
afterAll(cleanUp, START_MS);

type Degree = { readonly id: string; readonly studentName: string; readonly studentCpf: string };
type Page = { readonly items: readonly Degree[]; readonly totalCount: number };

/** A page of the degrees of the sandbox, which has none before. */
async function degreesAt(url: string, page: number): Promise<Page> {
  const headers = { 'x-api-key': SANDBOX_KEY };
  const answer = await fetch(`${url}/credentials/api/degrees?page=${page}&pageSize=200`, { headers });
  if (answer.ok) return (await answer.json()) as Page;
  // A store that is busy says when to come again.
  await pause(1000 * Number(answer.headers.get('retry-after')));
  return degreesAt(url, page);
}

// The ways to be no degree, and what the page says of each.
const SPOILT: readonly [string, (line: TableLine) => string][] = [
  ['CPF: must be a CPF of 11 digits', ({ name }) => `${name};123;Direito`],
  ['Course: is required', ({ name, cpf }) => `${name};${cpf};`],
  [
    'Student: has a line break, a control character or another character in it that is not seen',
    ({ cpf }) => `\u202eAna;${cpf};Direito`,
  ],
  ['line: has 4 values, and there are 3 columns', ({ name, cpf }) => `${name};${cpf};Direito;beyond`],
];

//   engine 1  |--checkpoint--lines-- killed
//   engine 2                        |--lines that are there are counted once--|checkpoint|-- killed ...

test(`a registrar's file of ${LINES} lines, the engine killed ${KILLS} times, becomes each degree once, and its page adds up`, {
  timeout: 20 * START_MS,
}, async () => {
  console.log(`A file of ${LINES} degrees, the engine killed ${KILLS} times, with FUZZ_SEED=${SEED}`);
  const engine = await startKillable({});
  const table = tableOf({ lines: LINES, bad: BAD, seed: SEED });
  const bad = table
    .filter(({ refused }) => refused)
    .map((line, at) => ({ ...line, spoilt: SPOILT[at % SPOILT.length] }));
  const good = table.filter(({ refused }) => !refused);
  const spoiltOf = new Map(bad.map((line) => [line.line, line.spoilt?.[1](line)]));
  const rows = table.map((line) => spoiltOf.get(line.line) ?? `${line.name};${line.cpf};Direito`);

  const visit = await enterConsole(engine.url, 'credentials');
  const shown = await visit.read('console/lines');
  const form = new FormData();
  form.append('once', /name="once" value="([^"]+)"/.exec(shown)?.[1] ?? '');
  form.append('instituteId', INSTITUTE_ID);
  form.append('file', fileOf('turma.csv', 'text/csv', ['Nome;CPF;Curso', ...rows, ''].join('\r\n')));
  const batch = await visit.send('console/lines/send', form);
  // The page counts at checkpoints, and so few lines have two of them: the degrees themselves are counted.
  const progress = async (): Promise<Progress> => {
    const isOver = !(await visit.read(batch)).includes('data-live="2"');
    return { done: (await degreesAt(engine.url, 1)).totalCount, isOver };
  };
  const { kills, killedAt, seconds, secondsDown } = await killAtRandom({
    ...{ engine, lines: LINES, kills: KILLS, progress, killedUntil: 0.3, maxDelayMs: 200 },
  });
  console.log(
    `Killed at the lines ${killedAt.join(', ')}. ${seconds.toFixed(0)} s, ${secondsDown.toFixed(0)} of them in restarts.`,
  );
  // An engine works on before it says that it is ready, and so few lines may end before the last kill.
  expect(kills).toBeGreaterThan(1);

  const page = await visit.read(batch);
  expect(page).toContain(`${LINES} / ${LINES}`);
  const cells = [...page.matchAll(/<tr\b[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    row
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(' :', ':')
      .trim(),
  );
  expect(cells.slice(1)).toEqual(bad.map(({ line, spoilt }) => `${line} ${spoilt?.[0]}`));

  const degrees: Degree[] = [];
  for (let at = 1, more = true; more; at += 1) {
    const { items } = await degreesAt(engine.url, at);
    degrees.push(...items);
    more = items.length === 200;
  }
  const people = degrees.map(({ studentName, studentCpf }) => `${studentName} ${studentCpf}`);
  expect(people.toSorted()).toEqual(good.map(({ name, cpf }) => `${name} ${cpf}`).toSorted());
  expect(new Set(degrees.map(({ id }) => id)).size).toBe(good.length);
  for (const queue of ['batches', 'tasks'])
    expect([queue, await deadLetters(engine, 'credentials', queue)]).toEqual([queue, 0]);
});
