import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { documentItems } from '../../../functions/documents/domain/document/document.ts';
import { documentList } from '../../../functions/documents/domain/document/document-lists.ts';
import { ORGANIZATION_ID } from '../../../functions/sandbox/sandbox-data.ts';
import { locatorOf, sessions } from '../../../functions/session/domain/session.ts';
import { DUE_DISPATCHES, dispatches } from '../../../functions/session/domain/signing/dispatch.ts';
import { sweepStranded } from '../../../functions/session/domain/signing/sweep-stranded.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { dueItems } from '../../../shared/store/due/items.ts';
import { beforeFirstAndAfterEach } from '../../faults/crash.ts';
import type { Answered } from '../../requests/http-event.ts';
import { forFile } from '../../runner/for-file.ts';
import { aSession } from './a-session.ts';
import { batchOf, signatureIdIn, signOnce, signPdf } from './calls.ts';
import { captureLog } from './captured-log.ts';
import { restoreSettings, setting } from './own-settings.ts';
import { aPdf } from './pdfs.ts';
import { servePlatform } from './platform.ts';
import { sessionStage } from './stage.ts';

// The session server is killed at each of its steps in turn: at a write of its own, before or after it took effect, or
// while the platform works, before or after the platform did it. Nothing of it is left to go on. Ten minutes later the
// sweeper of another process looks:
//
//   server 1  |--step 1--step 2-- killed
//   server 2                          stranded after ... |--sweep--|
//
// Whatever the moment, a document is signed at most once, none is left waiting, and no caller was told 202 of a document
// that is not at the platform.

const stage = await forFile(sessionStage());
const pdf = await aPdf();
restoreSettings();

class Killed extends Error {
  override readonly name = 'Killed';
}

const READS = /^(Get|BatchGet|Query|Scan)/;
const isOurs = (input: unknown): boolean =>
  String((input as { TableName?: string }).TableName ?? '').endsWith('-session') ||
  JSON.stringify((input as { TransactItems?: unknown }).TransactItems ?? '').includes('-session"');

// The process renews and gives back the slots of its semaphores by the clock, beside every call: no step of one.
const isOfSlots = (input: unknown): boolean =>
  (input as { Key?: { sk?: { S?: string } } }).Key?.sk?.S === 'SHARD';

type Death = { readonly step: number; readonly moment: 'before' | 'after' };

/** Runs something in a session server that dies at its nth step. Gives whether it came that far. */
async function dyingAt({ step, moment }: Death, run: () => Promise<unknown>): Promise<boolean> {
  let seen = 0;
  let isDead = false;
  dynamo().middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        // The platform is another's, and lives.
        if (!isOurs(args.input) || isOfSlots(args.input)) return next(args);
        if (isDead) throw new Killed(commandName);
        const isTheOne = !READS.test(commandName) && ++seen === step;
        if (isTheOne && moment === 'after') await next(args).catch(() => undefined);
        if (isTheOne) isDead = true;
        if (isDead) throw new Killed(commandName);
        return next(args);
      },
    { step: 'initialize', name: 'killed' },
  );
  stage.platform.interfere = () => {
    if (isDead) return 'hang-up';
    if (++seen !== step) return undefined;
    isDead = true;
    return moment === 'after' ? 'answer-lost' : 'hang-up';
  };
  const log = captureLog();
  await run().catch(() => undefined);
  log.restore();
  dynamo().middlewareStack.remove('killed');
  stage.platform.interfere = () => undefined;
  return isDead;
}

const all = documentList({ organizationId: ORGANIZATION_ID });
// The newest: what one call made is among them.
const documents = async () => documentItems.getMany((await all.slice({ offset: 0, limit: 5 })).ids);
const underWay = () =>
  Array.fromAsync(dueItems(dispatches, { partitions: DUE_DISPATCHES, nowMs: Date.now() + 3_600_000 }));

type SweptCall = { readonly answer: Answered | undefined; readonly isDead: boolean };

/** What is left of a call that died, once the sweeper was there. */
async function afterwards(death: Death, sign: () => Promise<Answered>): Promise<SweptCall> {
  const before = new Set((await documents()).map(({ id }) => id));
  let answer: Answered | undefined;
  const isDead = await dyingAt(death, async () => {
    answer = await sign();
  });
  await sweepStranded(() => Date.now() + 660_000);
  const made = (await documents()).filter(({ id }) => !before.has(id));
  for (const { state, signed } of made) {
    expect([death, state]).toEqual([death, signed ? 'FlowConcluded' : 'Canceled']);
    if (signed) expect(signed.revision).toBe(1);
  }
  expect([death, await underWay()]).toEqual([death, []]);
  const told = answer?.status === 202 ? idsIn(answer) : [];
  for (const id of told) expect([death, made.some((document) => document.id === id)]).toEqual([death, true]);
  return { answer, isDead };
}

function idsIn(answer: Answered): string[] {
  const body = answer.json() as { signatureId?: string; results?: { signatureId: string | null }[] };
  return [
    body.signatureId ?? [],
    (body.results ?? []).flatMap(({ signatureId }) => signatureId ?? []),
  ].flat();
}

/** Killed before the first step, and after each: before a later one, all is as after the one before it. */
const atEveryStep = (run: (death: Death) => Promise<boolean>): Promise<number> =>
  beforeFirstAndAfterEach((step, moment) => run({ step, moment }));

/** Signs one document once for every step, and is killed there. Gives the number of steps. */
const killedSigns = (): Promise<number> =>
  atEveryStep(async (death) => {
    const { sessionId } = await aSession();
    return (await afterwards(death, () => signPdf(sessionId, pdf))).isDead;
  });

describe('killed', () => {
  test('at a step of signing one document', async () => {
    // Two calls of the platform, and two writes of our own.
    expect(await killedSigns()).toBe(4);
  }, 180_000);

  test('at a step of signing one document at a platform of another', async () => {
    const foreign = await servePlatform({ isForeign: true });
    const own = stage.platform;
    stage.platform = foreign;
    setting('Signer:BaseAddress', foreign.url);
    try {
      // Four calls of the platform, and two writes of our own.
      expect(await killedSigns()).toBe(6);
    } finally {
      stage.platform = own;
      foreign.stop();
    }
  }, 180_000);

  // Its documents take the steps of one, beside each other: some of them are enough.
  test('just after a step of signing a batch', async () => {
    const files = [1, 2].map((n) => ({ name: `${n}.pdf`, bytes: pdf }));
    const run = async (death: Death) => {
      const { sessionId } = await aSession();
      return (await afterwards(death, () => batchOf(sessionId, files))).isDead;
    };
    let step = 1;
    while (await run({ step, moment: 'after' })) step += 2;
    expect(step).toBeGreaterThan(10);
  }, 300_000);

  test('at a step of signing on an allowance of one: no second signature is made on it', async () => {
    setting('Sessions:SignatureAllowance', '1');
    await atEveryStep(async (death) => {
      const { sessionId } = await aSession();
      const before = new Set((await documents()).map(({ id }) => id));
      const { isDead } = await afterwards(death, () => signPdf(sessionId, pdf));
      await signPdf(sessionId, pdf);
      const signed = (await documents()).filter((each) => each.signed && !before.has(each.id));
      expect([death, signed.length <= 1]).toEqual([death, true]);
      const left = await sessions.get(locatorOf('52998224725'));
      expect([death, left?.allowanceLeft ?? 0]).toEqual([death, 0]);
      return isDead;
    });
  }, 180_000);

  test('at a step of signing with an Idempotency-Key: sent again, it has one signature', async () => {
    await atEveryStep(async (death) => {
      const { sessionId } = await aSession();
      const key = randomUUID();
      const before = new Set((await documents()).map(({ id }) => id));
      const { isDead } = await afterwards(death, () => signOnce(sessionId, pdf, key));
      const again = await signOnce(sessionId, pdf, key);
      const signed = (await documents()).filter((each) => each.signed && !before.has(each.id));
      expect([death, signed.map(({ id }) => id)]).toEqual([death, [signatureIdIn(again)]]);
      expect((await signOnce(sessionId, pdf, key)).text).toBe(again.text);
      return isDead;
    });
  }, 180_000);

  test('and sent again before the sweeper was there, it is told that the first is under way', async () => {
    const { sessionId } = await aSession();
    const key = randomUUID();
    expect(await dyingAt({ step: 2, moment: 'after' }, () => signOnce(sessionId, pdf, key))).toBe(true);
    const again = await signOnce(sessionId, pdf, key);
    expect([again.status, again.text]).toEqual([429, expect.stringContaining('is under way')]);
    await sweepStranded(() => Date.now() + 660_000);
    expect((await signOnce(sessionId, pdf, key)).status).toBe(202);
  });
});
