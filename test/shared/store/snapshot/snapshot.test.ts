import { randomUUID } from 'node:crypto';
import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tableName } from '../../../../shared/settings/names.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { keyAttributes } from '../../../../shared/store/item.ts';
import { ledger } from '../../../../shared/store/ledger/ledger.ts';
import { keyOfLine, type Line, lineOf, parseLine } from '../../../../shared/store/lines/lines.ts';
import { forgetMode } from '../../../../shared/store/snapshot/mode.ts';
import { GATE_KEYS, SnapshotLost } from '../../../../shared/store/snapshot/records.ts';
import { enableSnapshots } from '../../../../shared/store/snapshot/registry.ts';
import { type Snapshot, snapshotOf } from '../../../../shared/store/snapshot/snapshot.ts';
import { everyItem } from '../../../whole-table.ts';
import { requestsOf } from '../requests.ts';

const TABLE = tableName('hub');
const SETTLE_MS = 20_000;
let run: string;
let isEnabled = true;

beforeEach(() => {
  run = randomUUID();
  isEnabled = true;
  enableSnapshots('hub', {
    isEnabled: () => isEnabled,
    settleMs: () => SETTLE_MS,
    // Other tests have items in this table.
    isExcluded: (pk) => !pk.includes(run),
  });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const { pk, snapshotId } of await everyItem('hub'))
    if (pk?.S === 'SNAPSHOT') await snapshotOf('hub', snapshotId?.S ?? '').end();
});

type Thing = { readonly id: string; readonly value: number };
const thingsOf = (service: 'hub' | 'pki') =>
  collection<Thing, string>({
    service,
    name: 'thing',
    id: ({ id }) => id,
    key: (id) => ({ pk: `THING#${run}#${id}`, sk: 'THING' }),
  });
const countsOf = (service: 'hub' | 'pki') =>
  ledger({
    service,
    name: run,
    shards: 2,
    countsOf: (field) => [
      { node: '', field },
      { node: 'other', field },
    ],
    // One commit in four folds.
    random: () => Math.random() / 8,
  });

/** Scans, catches up and cuts, as a backup does. */
async function take(snapshot: Snapshot): Promise<Line[]> {
  const lines: Line[] = [];
  const scans = [0, 1, 2].map(async (number) => {
    let after: Awaited<ReturnType<Snapshot['scan']>>['after'] = null;
    do {
      const page: Awaited<ReturnType<Snapshot['scan']>> = await snapshot.scan({ number, of: 3, after });
      lines.push(...page.lines);
      after = page.after;
    } while (after);
  });
  await Promise.all(scans);
  for (let round = 0; round < 3; round++) {
    const changed = await snapshot.readChanged(await snapshot.changes(400));
    lines.push(...changed.lines);
    await snapshot.drain(changed.read);
  }
  lines.push(...(await snapshot.cut(Date.now)).lines);
  return lines;
}

/** Applies lines, through their texts, to the table of another service. */
async function restore(lines: readonly Line[]): Promise<Map<string, Line>> {
  const last = new Map<string, Line>();
  for (const line of lines.map((each) => parseLine(lineOf(each))))
    last.set(JSON.stringify(keyOfLine(line)), line);
  await Promise.all(
    [...last.values()].map(async (line) => {
      if ('put' in line)
        await dynamo().send(new PutItemCommand({ TableName: tableName('pki'), Item: line.put }));
    }),
  );
  return last;
}

// Each writer changes a pair of items in one commit, then a third by itself, and counts what it creates and deletes. A
// snapshot that had a half of any commit, or missed a deletion of a fold, would break one of these:
//
//   first = second                    written in one commit
//   third = first, or one less        written after it
//   count of things = the ledger      created and counted in one commit, folded now and then
const WRITERS = 5;

test('a snapshot under writers has every commit wholly or not at all', async () => {
  const [things, counts] = [thingsOf('hub'), countsOf('hub')];
  let isOver = false;
  const rounds = Array.from({ length: WRITERS }, () => 0);
  const write = async (writer: number): Promise<void> => {
    const created: string[] = [];
    for (let value = 1; !isOver; value++) {
      const [first, second, third] = ['a', 'b', 'c'].map((part) => `${writer}-${part}`) as [
        string,
        string,
        string,
      ];
      await commit([things.putting({ id: first, value }), things.putting({ id: second, value })]);
      await things.put({ id: third, value });
      const id = `${writer}-counted-${value}`;
      await commit([things.creating({ id, value }), counts.adding({ things: 1 }, writer % 2)]);
      created.push(id);
      const old = created.length > 3 ? await things.get(created.shift() ?? '') : undefined;
      if (old) await commit([things.deleting(old), counts.adding({ things: -1 }, writer % 2)]);
      rounds[writer] = value;
    }
  };
  const snapshot = snapshotOf('hub', run);
  const writers = rounds.map((_, n) => write(n));
  const moreRounds = async (): Promise<void> => {
    const before = [...rounds];
    await expect.poll(() => rounds.every((round, n) => round > (before[n] ?? 0) + 1)).toBe(true);
  };
  const during = async (): Promise<Line[]> => {
    await moreRounds();
    await commit(snapshot.starting());
    // In place of the settle time: every commit that was decided before it has ended.
    await moreRounds();
    const taken = await take(snapshot);
    await moreRounds();
    await snapshot.end();
    return taken;
  };
  const lines = await during().finally(() => {
    isOver = true;
  });
  await Promise.all(writers);
  await snapshot.clear();

  const restored = await restore(lines);
  const found = [...restored.values()].flatMap((line) => ('put' in line ? [line.put] : []));
  const values = new Map(found.map(({ id, value }) => [id?.S ?? '', Number(value?.N)]));
  for (let writer = 0; writer < WRITERS; writer++) {
    const [first = 0, second, third = 0] = ['a', 'b', 'c'].map((part) => values.get(`${writer}-${part}`));
    expect(first).toBeGreaterThan(0);
    expect(second).toBe(first);
    expect([first, first - 1]).toContain(third);
  }
  const counted = [...values.keys()].filter((id) => id.includes('counted')).length;
  for (const node of ['', 'other'])
    expect((await countsOf('pki').read((readNode) => readNode(node))).get('things')).toBe(counted);
  const left = (await everyItem('hub')).map(({ pk }) => pk?.S ?? '');
  expect(left.filter((pk) => pk.startsWith('GATE#') || pk.includes(`CHANGES#${run}`))).toEqual([]);
});

test('a writer that does not know of the snapshot writes without it for a quarter of the settle time', async () => {
  const things = thingsOf('hub');
  vi.useFakeTimers({ toFake: ['Date'] });
  forgetMode(TABLE);
  await things.put({ id: 'known', value: 1 });
  // Another process starts it: this one keeps its copy of the mode.
  for (const { item } of snapshotOf('hub', run).starting())
    if (item.Put) await dynamo().send(new PutItemCommand(item.Put));
  const put = (value: number) => requestsOf(() => things.put({ id: 'known', value }));
  vi.setSystemTime(Date.now() + SETTLE_MS / 4 - 1_000);
  expect(await put(2)).toEqual({ PutItem: 1 });
  vi.setSystemTime(Date.now() + 1_000);
  expect(await put(3)).toEqual({ GetItem: 1, TransactWriteItems: 1 });
  expect(await put(4)).toEqual({ TransactWriteItems: 1 });
  const snapshot = snapshotOf('hub', run);
  expect(await snapshot.changes(100)).toHaveLength(2);
  // The end of it is noticed at the gate.
  const ended = snapshotOf('hub', run);
  await ended.end();
  expect((await things.get('known'))?.value).toBe(4);
});

test('a write that was decided before the snapshot began is not sent after half of the settle time', async () => {
  const things = thingsOf('hub');
  vi.useFakeTimers({ toFake: ['Date'] });
  forgetMode(TABLE);
  // The store does not answer in time: the copy is old when the write is sent.
  const name = 'slow';
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const answer = await next(args);
        if (commandName === 'GetItemCommand') vi.setSystemTime(Date.now() + SETTLE_MS / 2);
        return answer;
      },
    { step: 'initialize', name },
  );
  try {
    await expect(things.put({ id: 'late', value: 1 })).rejects.toThrow('too slowly');
  } finally {
    dynamo().middlewareStack.remove(name);
  }
  expect(await things.get('late')).toBeUndefined();
});

test('writers open gates that stay closed, and the snapshot of a worker that is gone fails', async () => {
  const things = thingsOf('hub');
  const snapshot = snapshotOf('hub', run);
  await commit(snapshot.starting());
  // The worker closes the gates, and is killed.
  for (const key of GATE_KEYS)
    await dynamo().send(
      new UpdateItemCommand({
        TableName: TABLE,
        Key: keyAttributes(key),
        UpdateExpression: 'SET isOpen = :no',
        ExpressionAttributeValues: { ':no': { BOOL: false } },
      }),
    );
  vi.useFakeTimers({ toFake: ['Date'] });
  const writing = things.put({ id: 'waiting', value: 1 });
  const later = setInterval(() => vi.setSystemTime(Date.now() + 1_000), 20);
  await writing.finally(() => clearInterval(later));
  expect((await things.get('waiting'))?.value).toBe(1);
  expect((await everyItem('hub')).some(({ pk }) => pk?.S?.startsWith('GATE#'))).toBe(false);
  await expect(snapshot.cut(Date.now)).rejects.toThrow(SnapshotLost);
});

test('changes whose items are more than one transaction may read are read all the same', async () => {
  const large = collection<Thing & { readonly text: string }, string>({
    service: 'hub',
    name: 'thing',
    id: ({ id }) => id,
    key: (id) => ({ pk: `THING#${run}#${id}`, sk: 'THING' }),
  });
  const snapshot = snapshotOf('hub', run);
  await commit(snapshot.starting());
  const ids = Array.from({ length: 25 }, (_, n) => `large-${n}`);
  for (const id of ids) await large.put({ id, value: 1, text: 'x'.repeat(390 * 1024) });
  const changes = await snapshot.changes(100);
  const { lines, read } = await snapshot.readChanged(changes);
  expect(read).toEqual(changes);
  expect(lines.map((line) => ('put' in line ? line.put.id?.S : undefined)).toSorted()).toEqual(
    ids.toSorted(),
  );
});

test('commits that a closed gate stops go on when it opens', async () => {
  const things = thingsOf('hub');
  const snapshot = snapshotOf('hub', run);
  await commit(snapshot.starting());
  await things.put({ id: 'before', value: 1 });
  const [cut] = await Promise.all([
    snapshot.cut(Date.now),
    ...Array.from({ length: 20 }, (_, n) => things.put({ id: `meanwhile-${n}`, value: n })),
  ]);
  expect(cut.lines.length).toBeGreaterThan(0);
  expect(await snapshot.changes(1_000)).toHaveLength(21);
});

test('a service whose snapshots are switched off reads no mode, and a commit has its 100 items', async () => {
  const things = thingsOf('hub');
  const creations = (count: number) =>
    Array.from({ length: count }, () => things.creating({ id: randomUUID(), value: 1 }));
  await expect(commit(creations(99))).rejects.toThrow('may write 98 items');
  isEnabled = false;
  forgetMode(TABLE);
  expect(await requestsOf(() => things.put({ id: 'plain', value: 1 }))).toEqual({ PutItem: 1 });
  expect(await requestsOf(() => commit(creations(100)))).toEqual({ TransactWriteItems: 1 });
});

test('bytes, sets and nested values survive the lines of a snapshot', () => {
  const put = {
    pk: { S: 'P' },
    sk: { S: 'S' },
    bytes: { B: Uint8Array.of(0, 255) },
    all: { L: [{ M: { inner: { BS: [Uint8Array.of(1)] } } }, { NULL: true }, { N: '1.5' }] },
  } as const;
  const parsed = parseLine(lineOf({ put: { ...put, all: { L: [...put.all.L] } } as never }));
  expect(lineOf(parsed)).toBe(lineOf({ put: put as never }));
  expect(() => parseLine('{"put":{"pk":{"S":"P"}}}')).toThrow('no key');
});
