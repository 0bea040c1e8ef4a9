import { randomUUID } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { tableName } from '../../../shared/settings/names.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { recentLog } from '../../../shared/store/recent-log.ts';

const log = recentLog({ service: 'sandbox', name: 'test' });
const WINDOW_MS = 60_000;
const note = (subject: string, nowMs = Date.now()) => log.note(subject, WINDOW_MS, nowMs);

async function sizes(subject: string) {
  const Key = { pk: { S: `RECENT#test#${subject}` }, sk: { S: 'LOG' } };
  const { Item } = await dynamo().send(new GetItemCommand({ TableName: tableName('sandbox'), Key }));
  return [Item?.entries?.L?.length ?? 0, Item?.counted?.SS?.length ?? 0, Item?.withdrawn?.SS?.length ?? 0];
}

describe('what happened lately', () => {
  it('counts what stands before an entry: open until it is settled, and not once it is withdrawn', async () => {
    const subject = randomUUID();
    const [first, second, third] = [await note(subject), await note(subject), await note(subject)];
    expect(await third.before()).toEqual({ counted: 0, open: 2 });
    await first.settle('counted');
    await second.settle('withdrawn');
    expect(await third.before()).toEqual({ counted: 1, open: 0 });
    expect(await first.before()).toEqual({ counted: 0, open: 0 });
  });

  it('is forgotten one by one as the oldest leave the window', async () => {
    const subject = randomUUID();
    const now = Date.now();
    for (const at of [0, 10_000, 20_000]) await (await note(subject, now + at)).settle('counted');
    const countedAt = async (at: number) => {
      const entry = await note(subject, now + at);
      const { counted } = await entry.before();
      await entry.settle('withdrawn');
      return counted;
    };
    expect([await countedAt(59_999), await countedAt(60_001), await countedAt(70_001)]).toEqual([3, 2, 1]);
  });

  it('has one order for a crowd: of fifty at once, exactly five find fewer than five before them', async () => {
    const subject = randomUUID();
    const all = await Promise.all(Array.from({ length: 50 }, () => note(subject)));
    const places = await Promise.all(all.map(async (entry) => (await entry.before()).open));
    expect(places.filter((place) => place < 5)).toHaveLength(5);
  });

  it('stays small however often something happens, and keeps what is within the window', async () => {
    const subject = randomUUID();
    const old = Date.now() - 10 * WINDOW_MS;
    for (let n = 0; n < 199; n++) await (await note(subject, old)).settle('counted');
    const recent = await note(subject);
    const withdrawn = await note(subject);
    await withdrawn.settle('withdrawn');
    await recent.settle('counted');
    const [entries = 0, counted = 0] = await sizes(subject);
    expect(entries).toBeLessThan(10);
    expect(counted).toBeLessThan(10);
    expect(await (await note(subject)).before()).toEqual({ counted: 1, open: 0 });
  });

  //   one       |--note: the list is full, read ------------- trimmed --|
  //   other           |--its entry is withdrawn--|
  it('does not undo what is settled while the list is trimmed', async () => {
    const subject = randomUUID();
    const entries = await Promise.all(Array.from({ length: 200 }, () => note(subject)));
    const last = entries.at(-1);
    await Promise.all([note(subject), ...entries.map((entry) => entry.settle('withdrawn'))]);
    expect(last && (await (await note(subject)).before()).counted).toBe(0);
    for (let n = 0; n < 3; n++) await (await note(subject)).settle('withdrawn');
    const { counted, open } = await (await note(subject)).before();
    // Only the two that nobody settled are open.
    expect([counted, open]).toEqual([0, 2]);
  });
});
