import { afterEach, describe, expect, test } from 'vitest';
import { handOver } from '../../../../functions/credentials/flows/domain/hand-over.ts';
import { handOvers } from '../../../../functions/credentials/flows/domain/platform-documents.ts';
import { institutes } from '../../../../functions/credentials/tenants/domain/organization.ts';
import { deadlineIn } from '../../../../shared/async/deadline.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ANA, flowStage } from './stage.ts';

const stage = await forFile(flowStage());
afterEach(() => {
  stage.up();
});

const within = () => deadlineIn(60_000, Date.now);
const hand = (id: string, waitSeconds = 0, laterMs = 0) =>
  handOver({ kind: 'degree', id }, waitSeconds, () => Date.now() + laterMs);

/** The documents of a degree at the platform, by their statuses. */
async function documentsThere(id: string): Promise<string[]> {
  const url = `${stage.platform.url}/api/documents?q=${id}&limit=50`;
  const answer = await fetch(url, { headers: { 'x-api-key': process.env.Signer__ApiKey ?? '' } });
  return ((await answer.json()) as { items: { status: string }[] }).items.map(({ status }) => status);
}
const isClaimed = async (id: string): Promise<boolean> =>
  ((await handOvers.get({ kind: 'degree', id }))?.leaseEndsAtMs ?? 0) > Date.now();

/** A degree whose worker was killed after it had created both documents, and before it could say so. */
async function killedOnceCreated(): Promise<string> {
  for (let write = 1; ; write++) {
    const { id } = await stage.create();
    await killedAt(write, 'after', () => hand(id));
    if ((await isClaimed(id)) && (await documentsThere(id)).length === 2) return id;
  }
}
const problemsOf = async (id: string) => (await stage.degree(id)).files.map(({ problem }) => problem);
const isAtPlatform = async (id: string) =>
  (await stage.degree(id)).files.map(({ document }) => document !== null);

describe('a platform that is down when files are handed over', () => {
  test('is asked again, later each time up to an hour, and nothing is given up', async () => {
    const { id } = await stage.create();
    stage.down();
    await stage.run();
    const waits = [await stage.waitOf('handOver', id)];
    for (const wait of [60, 120, 1_000, 3_600]) {
      await hand(id, wait);
      waits.push(await stage.waitOf('handOver', id));
    }
    expect(waits).toEqual([60, 120, 240, 2_000, 3_600]);
    expect(await problemsOf(id)).toEqual([null, null]);
    stage.up();
    await stage.sweep(3_700_000);
    await stage.run();
    expect(await isAtPlatform(id)).toEqual([true, true]);
    expect(await stage.waitOf('handOver', id)).toBeUndefined();
    expect(await stage.waitOf('look', id)).toBe(60);
    expect(await documentsThere(id)).toEqual(['Pending', 'Pending']);
  });

  test.each(['answer-lost', 'hang-up', 'cut-short'] as const)(
    'with an answer to a creation that is %s has no second document in the end',
    async (interference) => {
      const { id } = await stage.create();
      stage.platform.interfere = (named) => (named === 'POST /api/documents' ? interference : undefined);
      await stage.run();
      expect(await isAtPlatform(id)).toEqual([false, false]);
      stage.up();
      await hand(id, 60);
      expect(await isAtPlatform(id)).toEqual([true, true]);
      expect(await documentsThere(id)).toEqual(['Pending', 'Pending']);
      expect(await handOvers.get({ kind: 'degree', id })).toBeUndefined();
    },
  );

  test('asks for a pause of ten minutes, and gets it', async () => {
    const { id } = await stage.create();
    stage.platform.interfere = () => ({ status: 429, headers: { 'retry-after': '600' } });
    await stage.run();
    expect(await stage.waitOf('handOver', id)).toBe(600);
  });

  test('keeps the file that it took already', async () => {
    const { id } = await stage.create();
    let creations = 0;
    stage.platform.interfere = (named) =>
      named === 'POST /api/documents' && ++creations === 2 ? { status: 503 } : undefined;
    await stage.run();
    expect(await isAtPlatform(id)).toEqual([true, false]);
    stage.up();
    await hand(id, 60);
    expect(await isAtPlatform(id)).toEqual([true, true]);
    expect(await documentsThere(id)).toHaveLength(2);
  });
});

describe('a file that cannot be handed over', () => {
  const refusal = {
    status: 422,
    body: JSON.stringify({ code: 'InvalidEmail', message: 'No such address.' }),
  };

  test('has the reason as its problem, is tried once a day at last, and goes on when it is corrected', async () => {
    const { id } = await stage.create();
    stage.platform.interfere = (named) => (named === 'POST /api/documents' ? refusal : undefined);
    await stage.run();
    const problem = 'The signature platform refused the file: No such address.';
    expect(await problemsOf(id)).toEqual([problem, problem]);
    await hand(id, 80_000);
    expect(await stage.waitOf('handOver', id)).toBe(86_400);
    stage.up();
    await hand(id, 86_400);
    expect([await problemsOf(id), await isAtPlatform(id)]).toEqual([
      [null, null],
      [true, true],
    ]);
    expect(await documentsThere(id)).toHaveLength(2);
  });

  test('is one of an institute without signers', async () => {
    const { id, instituteId } = await stage.create();
    const institute = await institutes.get(instituteId);
    if (!institute) throw new Error('no institute');
    const without = await institutes.change(institute, { signers: [] });
    await stage.run();
    expect(await problemsOf(id)).toEqual(Array(2).fill(expect.stringContaining('names no signers')));
    await institutes.change(without, { signers: institute.signers });
    await hand(id, 60);
    expect(await isAtPlatform(id)).toEqual([true, true]);
  });
});

// worker 1  |--reads--uploads--claims-------creates----records--|
// worker 2     |--reads--uploads--claim refused: waits for the lease of worker 1
describe('two workers', () => {
  test('that hand one degree over at once create each document once', async () => {
    const { id } = await stage.create();
    await Promise.all([hand(id), hand(id), hand(id)]);
    expect(await documentsThere(id)).toEqual(['Pending', 'Pending']);
    expect(await isAtPlatform(id)).toEqual([true, true]);
    expect(await hand(id)).toBeUndefined();
    await stage.run();
  });

  test('are one that is killed after any write, of ours or of the platform, and one that follows it', async () => {
    let claims = 0;
    for (let write = 1; ; write++) {
      const { id } = await stage.create();
      const wasKilled = await killedAt(write, 'after', () => hand(id));
      if (await isClaimed(id)) {
        claims++;
        // While the lease lasts, nobody else tries.
        await hand(id);
        expect(await stage.waitOf('handOver', id)).toBe(90);
        expect(await isAtPlatform(id)).toEqual([false, false]);
      }
      await hand(id, 0, 100_000);
      expect(await isAtPlatform(id)).toEqual([true, true]);
      expect(await documentsThere(id)).toEqual(['Pending', 'Pending']);
      expect(await stage.waitOf('handOver', id)).toBeUndefined();
      if (!wasKilled) return expect(claims).toBeGreaterThan(2);
    }
  });
});

describe('a degree that is canceled while its documents wait', () => {
  test('has them canceled at the platform, once, and is not looked at again', async () => {
    const { id } = await stage.handedOver();
    const [diploma = '', documentation = ''] = await stage.documentsOf(id);
    await stage.sign(documentation, ANA);
    await stage.cancel(id);
    expect(await stage.waitOf('look', id)).toBeUndefined();
    expect(await stage.run(id)).toEqual(['withdraw']);
    expect(await documentsThere(id)).toEqual(['Canceled', 'Canceled']);
    expect(await stage.client.readDocument(diploma, within())).toMatchObject({
      statusUpdateReason: 'Wrong course',
    });
    await stage.sweep(7_200_000);
    expect(await stage.run(id)).toEqual([]);
    await stage.look(id, 'event');
    expect((await stage.degree(id)).state).toBe('Canceled');
  });

  test('and before they are handed over has none', async () => {
    const { id } = await stage.create();
    await stage.cancel(id);
    await stage.run();
    expect(await documentsThere(id)).toEqual([]);
    expect(await stage.waitOf('handOver', id)).toBeUndefined();
  });

  // worker   |--claims--creates------------------ refused: the degree is canceled: cancels what it created
  // client                      |--cancels--|
  test('and just as they are handed over has them canceled', async () => {
    const { id } = await stage.create();
    let isFirst = true;
    stage.platform.interfere = async (named) => {
      if (!named.endsWith('/action-url') || !isFirst) return undefined;
      isFirst = false;
      await stage.cancel(id);
      return undefined;
    };
    await hand(id);
    expect(await documentsThere(id)).toEqual(['Canceled', 'Canceled']);
    await stage.run();
    expect(await handOvers.get({ kind: 'degree', id })).toBeUndefined();
    expect(await isAtPlatform(id)).toEqual([false, false]);
  });

  test('after its worker was killed has the documents canceled that nobody has told of', async () => {
    const id = await killedOnceCreated();
    await stage.cancel(id);
    await stage.run();
    expect(await stage.waitOf('withdraw', id)).toBe(90);
    expect(await documentsThere(id)).toEqual(['Pending', 'Pending']);
    const held = await handOvers.get({ kind: 'degree', id });
    if (held) await handOvers.change(held, { leaseEndsAtMs: 0 });
    await stage.sweep(95_000);
    await stage.run();
    expect(await documentsThere(id)).toEqual(['Canceled', 'Canceled']);
    expect(await handOvers.get({ kind: 'degree', id })).toBeUndefined();
  });

  test('and the platform is down has them canceled later', async () => {
    const { id } = await stage.handedOver();
    await stage.cancel(id);
    stage.down();
    await stage.run();
    expect(await stage.waitOf('withdraw', id)).toBe(60);
    stage.up();
    await stage.sweep(61_000);
    await stage.run();
    expect(await documentsThere(id)).toEqual(['Canceled', 'Canceled']);
  });
});
