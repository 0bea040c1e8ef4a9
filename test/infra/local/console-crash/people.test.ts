import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { SEED } from '../../../faults/fuzz.ts';
import { cleanUp } from '../engine/engine-process.ts';
import { deadLetters } from '../engine/kills/killed-work.ts';
import { MARK, type PeopleRun, runPeople } from './people-run.ts';

const START_MS = 120_000;
const LINES = 5_000;
const BAD = 50;
const KILLS = 3;
// Workers of the queues of mail and of webhooks: so many messages may be under way at a kill, and come again.
const WORKERS = { mail: 10, webhooks: 500 };
// Reading every file would take longer than the rest.
const FILES_OF_ONE_IN = 97;

type Listed = {
  readonly id: string;
  readonly name: string;
  readonly flowActions: readonly {
    readonly user: Readonly<Record<'name' | 'identifier' | 'email', string>>;
    readonly marks: readonly object[];
  }[];
};
type Page<Item> = { readonly items: readonly Item[]; readonly totalCount: number };

let run: PeopleRun;
beforeAll(async () => {
  console.log(`A table of ${LINES} people, the engine killed ${KILLS} times, with FUZZ_SEED=${SEED}`);
  run = await runPeople({ lines: LINES, bad: BAD, kills: KILLS });
  const { killedAt, seconds, secondsDown } = run.report;
  const perSecond = (LINES / (seconds - secondsDown)).toFixed(1);
  console.log(
    `Killed at the lines ${killedAt.join(', ')}. ${seconds.toFixed(0)} s, ${secondsDown.toFixed(0)} of them in restarts: ${perSecond} lines a second.`,
  );
}, 30 * START_MS);
afterAll(cleanUp, START_MS);

async function all<Item>(path: string): Promise<Page<Item>> {
  const items: Item[] = [];
  for (let page = 0; ; page += 1) {
    const found = await run.api<Page<Item>>('GET', `${path}limit=100&offset=${page}`);
    items.push(...found.items);
    if (found.items.length < 100) return { items, totalCount: found.totalCount };
  }
}

//   engine 1  |--start--lines 1 to 400--|checkpoint 400|--lines 401 to 520-- killed
//   engine 2                                                                 |--401 to 520: exist--521 ...-- killed ...
//
// A kill comes at any moment: before the first checkpoint, in the middle of a document, beside its mail and its webhooks.

test('each good line has become one document, with its person, its marks and its file', async () => {
  const { good, id, folderId, engine, report } = run;
  expect(report.kills).toBe(KILLS);
  const listed = await all<Listed>(`documents?folderId=${folderId}&`);
  expect(listed.totalCount).toBe(good.length);
  const shown = ({ name, flowActions }: Listed) => {
    const [{ user, marks } = { user: undefined, marks: [] }] = flowActions;
    return [name, flowActions.length, user?.name, user?.identifier, user?.email, marks.length, marks[0]];
  };
  const mark = expect.objectContaining(MARK);
  const byName = new Map(listed.items.map((document) => [document.name, document]));
  for (const { name, cpf, email } of good) {
    const document = byName.get(`Contrato de ${name}`);
    expect(document && shown(document)).toEqual([`Contrato de ${name}`, 1, name, cpf, email, 1, mark]);
  }
  const rows = await all<{ row: number; documentId: string | null }>(`documents/generation/${id}/documents?`);
  const ofRows = rows.items.flatMap(({ row, documentId }) => (documentId ? [[row + 1, documentId]] : []));
  expect(ofRows).toEqual(good.map(({ line, name }) => [line, byName.get(`Contrato de ${name}`)?.id]));
  for (const { name } of good.filter((_, at) => at % FILES_OF_ONE_IN === 0)) {
    const path = `documents/${byName.get(`Contrato de ${name}`)?.id}/content?type=Original`;
    const answer = await fetch(`${engine.url}/documents/api/${path}`, {
      headers: { 'x-api-key': SANDBOX_KEY },
    });
    const file = await PDFDocument.load(await answer.arrayBuffer());
    expect(file.getForm().getTextField('nome').getText()).toBe(name);
  }
});

test('each bad line is reported once, with its number, its column and the reason, and the counts add up', async () => {
  const { table, good, visit, generation, id, preview } = run;
  const bad = table.flatMap(({ line, refused }) => (refused ? [{ line, reported: refused.reported }] : []));
  expect(preview).toContain(`Lines: ${LINES.toLocaleString('en')}.`);
  const page = await visit.read(generation);
  expect(page).toContain(`${LINES.toLocaleString('en')} of ${LINES.toLocaleString('en')} lines`);
  const facts = [...page.matchAll(/<dd>(?:<[^>]*>)?([\d,]+)/g)].map(([, number]) => number);
  expect(facts).toEqual([good.length.toLocaleString('en'), String(bad.length), '0']);
  const report = (await visit.read(`contents/generations/${id}/errors`)).trim().split('\r\n').slice(1);
  expect(report.map((line) => Number(line.split(';')[0]))).toEqual(bad.map(({ line }) => line));
  for (const [at, { line, reported }] of bad.entries())
    expect(report[at]?.slice(`${line};`.length)).toMatch(reported);
});

test('everybody got one invitation and every document told its webhook, again only where a kill met the call', async () => {
  const { good, mails, events, engine, report } = run;
  const messages = Map.groupBy(mails, ({ to }) => to);
  expect([...messages.keys()].toSorted()).toEqual(good.map(({ email }) => email).toSorted());
  const different = [...messages.values()].filter(
    (all) => new Set(all.map((each) => each.messageId)).size > 1,
  );
  expect(different).toEqual([]);
  expect(mails.length - good.length).toBeLessThanOrEqual(report.kills * WORKERS.mail);
  const told = Map.groupBy(events, ({ documentId }) => documentId);
  expect(told.size).toBe(good.length);
  expect([...told.values()].filter((all) => new Set(all.map(({ eventId }) => eventId)).size > 1)).toEqual([]);
  expect(events.length - good.length).toBeLessThanOrEqual(report.kills * WORKERS.webhooks);
  for (const queue of ['generations', 'mail', 'webhooks', 'tasks'])
    expect([queue, await deadLetters(engine, 'documents', queue)]).toEqual([queue, 0]);
});
