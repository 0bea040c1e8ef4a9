import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Document, documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { documentList } from '../../../../../functions/documents/domain/document/document-lists.ts';
import { ORGANIZATION_ID } from '../../../../../functions/sandbox/sandbox-data.ts';
import { DUE_DISPATCHES, dispatches } from '../../../../../functions/session/domain/signing/dispatch.ts';
import { sweepStranded } from '../../../../../functions/session/domain/signing/sweep-stranded.ts';
import { dueItems } from '../../../../../shared/store/due/items.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { aSession } from '../../a-session.ts';
import { lastAuditEntry } from '../../audit-entries.ts';
import { batchOf, fetchSigned, isActive, refusal, signatureIdIn, signPdf } from '../../calls.ts';
import { captureLog } from '../../captured-log.ts';
import { clockAhead, restoreSettings, setting } from '../../own-settings.ts';
import { aPdf } from '../../pdfs.ts';
import type { Interference } from '../../platform.ts';
import { sessionStage } from '../../stage.ts';

const UPLOAD = 'POST /api/uploads';
const CREATE = 'POST /api/documents';
const LIST = 'GET /api/documents';
const START = /\/signature\/certificate$/;
const COMPLETE = /\/signature$/;
const CANCEL = /\/cancellation$/;

// A platform without the combined operation: each of its calls may fail by itself.
const stage = await forFile(sessionStage({ isForeign: true }));
const pdf = await aPdf();
restoreSettings();
beforeEach(() => setting('Log:Level', 'ERROR')); // what goes wrong here is told as a warning
afterEach(async () => {
  stage.platform.interfere = () => undefined;
  for (const left of await underWay()) await dispatches.delete(left);
});

/** From now on this becomes of the calls that match. */
function on(which: string | RegExp, how: Interference, times = Number.POSITIVE_INFINITY): void {
  const before = stage.platform.interfere;
  let left = times;
  stage.platform.interfere = (call) =>
    (typeof which === 'string' ? call === which : which.test(call)) && left-- > 0 ? how : before(call);
}

const all = documentList({ organizationId: ORGANIZATION_ID });
async function documents(): Promise<Document[]> {
  return documentItems.getMany((await all.slice({ offset: 0, limit: 100 })).ids);
}
const stateOf = async (id: string) => (await documentItems.get(id))?.state;
const signed = async (more = {}) => signPdf((await aSession('52998224725', more)).sessionId, pdf);

const underWay = () =>
  Array.fromAsync(dueItems(dispatches, { partitions: DUE_DISPATCHES, nowMs: Date.now() + 3_600_000 }));
/** Eleven minutes later, when no call can still be working. */
const sweepLater = () => sweepStranded(() => Date.now() + 660_000);

describe('before the document has reached the platform', () => {
  test.each([
    ['cuts the line', 'hang-up'],
    ['fails', { status: 500 }],
    ['is busy', { status: 429 }],
    ['does not take our key', { status: 403 }],
    ['is not what answers', { status: 404, body: '<html>' }],
    ['answers in another shape', { status: 200, body: '{"ok":true}' }],
  ] as const)('the call is 502 SIGNER_ERROR when the platform %s', async (_, how) => {
    const before = (await documents()).length;
    for (const step of [UPLOAD, CREATE]) {
      stage.platform.interfere = () => undefined;
      on(step, how);
      expect(refusal(await signed()).slice(0, 2)).toEqual([502, 'SIGNER_ERROR']);
    }
    expect(await documents()).toHaveLength(before);
  });

  test.each([UPLOAD, CREATE])(
    'a refusal of %s is 422 SIGNER_REJECTED with the platform’s account',
    async (step) => {
      const body = JSON.stringify({ code: 'StorageLimitReached', message: 'No room is left.' });
      on(step, { status: 422, body });
      expect(refusal(await signed())).toEqual([
        422,
        'SIGNER_REJECTED',
        'code: StorageLimitReached; message: No room is left.',
      ]);
      expect(await underWay()).toEqual([]);
    },
  );

  test('a folder that is not there is the platform’s to refuse', async () => {
    setting('Signer:FolderId', '33333333-3333-4333-8333-333333333333');
    expect(refusal(await signed())).toEqual([
      422,
      'SIGNER_REJECTED',
      expect.stringContaining('code: FolderNotFound'),
    ]);
  });

  test('silence is waited for as long as a call may take, and then SIGNER_ERROR', async () => {
    setting('Signer:RequestTimeout', '1');
    on(UPLOAD, 'silence');
    expect(refusal(await signed()).slice(0, 2)).toEqual([502, 'SIGNER_ERROR']);
  });

  test('each document of a batch fails by itself', async () => {
    on(CREATE, 'hang-up', 1);
    const { sessionId } = await aSession();
    const answer = await batchOf(
      sessionId,
      [1, 2, 3].map((n) => ({ name: `${n}.pdf`, bytes: pdf })),
    );
    const { results } = answer.json() as { results: { error: { code: string } | null }[] };
    expect(results.map(({ error }) => error?.code ?? 'none').toSorted()).toEqual([
      'SIGNER_ERROR',
      'none',
      'none',
    ]);
  });
});

describe('once the document has reached the platform', () => {
  test('the call goes on where only the answer of the creation was lost', async () => {
    on(CREATE, 'answer-lost');
    const before = (await documents()).length;
    const id = signatureIdIn(await signed());
    expect(await stateOf(id)).toBe('FlowConcluded');
    expect(await documents()).toHaveLength(before + 1);
    expect(await underWay()).toEqual([]);
  });

  test.each([
    ['the start fails', START, { status: 500 }, 'SIGNER_ERROR'],
    ['the start is cut', START, 'hang-up', 'SIGNER_ERROR'],
    ['the certificate is not accepted', START, { status: 200, body: '{"success":false}' }, 'SIGNER_REJECTED'],
    ['the start is refused', START, { status: 422, body: '{"code":"CpfMismatch"}' }, 'SIGNER_REJECTED'],
    [
      'the signature is not accepted',
      COMPLETE,
      { status: 200, body: '{"success":false}' },
      'SIGNER_REJECTED',
    ],
    ['the signature is refused', COMPLETE, { status: 422, body: '{"message":"No."}' }, 'SIGNER_REJECTED'],
  ] as const)(
    'it is 202 all the same when %s; the document is canceled, and the fetch and the audit trail say so',
    async (_, step, how, outcome) => {
      on(step, how);
      const id = signatureIdIn(await signed());
      stage.platform.interfere = () => undefined;
      expect(refusal(await fetchSigned(id))).toEqual([422, 'DOCUMENT_UNAVAILABLE', 'reason: cancelled']);
      expect(await underWay()).toEqual([]);
      expect(await lastAuditEntry({ signatureId: id })).toMatchObject({
        outcome,
        notSigned: [{ signatureId: id, outcome }],
      });
    },
  );

  test('a signature that is refused after the answer to the first try was lost may be made: that is asked', async () => {
    on(COMPLETE, { status: 422, body: '{"code":"InvalidToken"}' });
    on(COMPLETE, 'answer-lost', 1);
    const id = signatureIdIn(await signed());
    expect(await stateOf(id)).toBe('FlowConcluded');
    expect(await lastAuditEntry({ signatureId: id })).toMatchObject({ outcome: 'ok', signatureIds: [id] });
    expect(await underWay()).toEqual([]);
  });

  test('it is 202 when the signature was made and its way was cut: a second try hands it over', async () => {
    on(COMPLETE, 'hang-up', 1);
    expect(await stateOf(signatureIdIn(await signed()))).toBe('FlowConcluded');
  });

  test('it is 202 when only the answer to the signature was lost, and the document is signed once', async () => {
    on(COMPLETE, 'answer-lost');
    const id = signatureIdIn(await signed());
    stage.platform.interfere = () => undefined;
    await sweepLater();
    const document = await documentItems.get(id);
    expect([document?.state, document?.signed?.revision]).toEqual(['FlowConcluded', 1]);
  });

  test('it is 202 when nothing of ours can be written any more', async () => {
    const { sessionId } = await aSession();
    const { dynamo } = await import('../../../../../shared/store/client.ts');
    let isDown = false;
    dynamo().middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          const isWrite = /^(Put|Update|Delete|TransactWrite)/.test(commandName);
          const isOurs = JSON.stringify(args.input).includes('-session"');
          if (isDown && isWrite && isOurs) throw new Error('The table is away.');
          return next(args);
        },
      { step: 'initialize', name: 'down' },
    );
    stage.platform.interfere = (call) => {
      if (START.test(call)) isDown = true;
      return undefined;
    };
    const log = captureLog();
    const answer = await signPdf(sessionId, pdf).finally(() => dynamo().middlewareStack.remove('down'));
    log.restore();
    expect(log.text()).toContain('An audit entry was not kept.');
    const id = signatureIdIn(answer);
    expect(await stateOf(id)).toBe('FlowConcluded');
    stage.platform.interfere = () => undefined;
    await sweepLater();
    expect(await stateOf(id)).toBe('FlowConcluded');
  });
});

describe('SIGN_TIMEOUT', () => {
  /** The line is lost at such a call, and the budget is over by then. */
  function lateAt(which: string | RegExp, how: Interference = 'hang-up'): void {
    const isTheOne = (call: string) => (typeof which === 'string' ? call === which : which.test(call));
    stage.platform.interfere = (call) => {
      if (!isTheOne(call)) return undefined;
      clockAhead(60_000);
      return how;
    };
  }
  const madeSince = (before: readonly Document[]) => async () => {
    const known = new Set(before.map(({ id }) => id));
    return (await documents()).filter(({ id }) => !known.has(id));
  };
  const isTimeOut = [422, 'SIGN_TIMEOUT'];

  test('is told when the budget is over before the key has signed: nothing is signed, and the document is canceled', async () => {
    setting('Signing:HashSignTimeout', '1');
    setting('Signing:WorkstationReconnectGrace', '1');
    setting('Signing:RequestBudget', '3');
    on(START, 'silence');
    const made = madeSince(await documents());
    expect(refusal(await signed()).slice(0, 2)).toEqual(isTimeOut);
    expect((await made()).map(({ state, signed: file }) => [state, file])).toEqual([['Canceled', null]]);
    expect(await underWay()).toEqual([]);
  });

  test('costs nothing of the allowance', async () => {
    setting('Sessions:SignatureAllowance', '1');
    lateAt(START);
    const { sessionId } = await aSession();
    expect(refusal(await signPdf(sessionId, pdf)).slice(0, 2)).toEqual(isTimeOut);
    expect(await isActive(sessionId)).toBe(true);
  });

  test('is told when the creation takes all of it; what arrived meanwhile is canceled', async () => {
    const made = madeSince(await documents());
    lateAt(CREATE, 'answer-lost');
    expect(refusal(await signed()).slice(0, 2)).toEqual(isTimeOut);
    expect((await made()).map(({ state, signed: file }) => [state, file])).toEqual([['Canceled', null]]);
    expect(await underWay()).toEqual([]);
  });

  test('leaves what arrives after it was told to the sweeper, which cancels it', async () => {
    const made = madeSince(await documents());
    lateAt(CREATE, 'done-later');
    expect(refusal(await signed()).slice(0, 2)).toEqual(isTimeOut);
    expect(await made()).toEqual([]);
    await stage.platform.doLater();
    expect((await made()).map(({ state }) => state)).toEqual(['Pending']);
    await sweepLater();
    expect((await made()).map(({ state, signed: file }) => [state, file])).toEqual([['Canceled', null]]);
  });

  test('is not told once the key has signed: that is 202', async () => {
    lateAt(COMPLETE);
    signatureIdIn(await signed());
  });
});

describe('the sweeper of stranded documents', () => {
  test('cancels one whose id is known and that was never signed', async () => {
    on(COMPLETE, 'hang-up');
    on(CANCEL, 'hang-up');
    const id = signatureIdIn(await signed());
    stage.platform.interfere = () => undefined;
    expect((await underWay()).map(({ documentId }) => documentId)).toEqual([id]);
    await sweepStranded(Date.now);
    expect(await stateOf(id)).toBe('Pending');
    const told = await lastAuditEntry({ signatureId: id });
    expect(told).toMatchObject({
      operation: 'signature.create',
      outcome: 'SIGNER_ERROR',
      signatureIds: [id],
    });
    await sweepLater();
    expect(await stateOf(id)).toBe('Canceled');
    expect(await underWay()).toEqual([]);
    expect(await lastAuditEntry({ signatureId: id })).toMatchObject({
      operation: 'signature.sweep',
      outcome: 'DOCUMENT_UNAVAILABLE',
      correlationId: told?.correlationId,
      signatureIds: [id],
    });
  });

  test('finds one whose id was lost by its tag, and cancels it', async () => {
    const before = new Set((await documents()).map(({ id }) => id));
    on(CREATE, 'answer-lost');
    on(LIST, 'hang-up');
    expect(refusal(await signed()).slice(0, 2)).toEqual([502, 'SIGNER_ERROR']);
    stage.platform.interfere = () => undefined;
    expect((await underWay()).map(({ documentId }) => documentId)).toEqual([undefined]);
    await sweepLater();
    const made = (await documents()).filter(({ id }) => !before.has(id));
    expect(made.map(({ state }) => state)).toEqual(['Canceled']);
    expect(await underWay()).toEqual([]);
  });

  //   call     |--create--start--complete--| killed     nothing of its end is written
  //   sweeper                                     |--finds it by its tag among the newest: signed --|
  test('records the end of a signed document whose call was killed before it could', async () => {
    const { sessionId } = await aSession();
    let isDead = false;
    stage.platform.interfere = (call) => {
      if (COMPLETE.test(call)) isDead = true;
      return undefined;
    };
    const { dynamo } = await import('../../../../../shared/store/client.ts');
    dynamo().middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          const isOurs = JSON.stringify(args.input).includes('-session"');
          if (isDead && isOurs && !/^(Get|Query)/.test(commandName)) throw new Error('Killed.');
          return next(args);
        },
      { step: 'initialize', name: 'killed' },
    );
    const log = captureLog();
    const answer = await signPdf(sessionId, pdf).finally(() => dynamo().middlewareStack.remove('killed'));
    log.restore();
    stage.platform.interfere = () => undefined;
    const id = signatureIdIn(answer);
    expect(await lastAuditEntry({ signatureId: id })).toBeUndefined();
    expect((await underWay()).map(({ documentId }) => documentId)).toEqual([undefined]);
    await sweepLater();
    expect(await lastAuditEntry({ signatureId: id })).toMatchObject({
      operation: 'signature.sweep',
      outcome: 'ok',
      signatureIds: [id],
    });
    expect(await stateOf(id)).toBe('FlowConcluded');
    expect(await underWay()).toEqual([]);
  });

  test('forgets what never arrived, and what is gone', async () => {
    on(CREATE, 'hang-up');
    on(LIST, 'hang-up');
    await signed();
    await dispatches.create({
      ...{ id: 'gone', cpf: '52998224725', begunAtMs: Date.now() },
      caller: { application: 'sandbox', keyId: 'sandbox-key' },
      correlationId: 'c-1',
      documentId: '00000000-0000-4000-8000-000000000000',
    });
    stage.platform.interfere = () => undefined;
    expect(await underWay()).toHaveLength(2);
    await sweepLater();
    expect(await underWay()).toEqual([]);
  });

  test('comes back to what the platform could not be asked about, and goes on with the others', async () => {
    on(COMPLETE, 'hang-up');
    on(CANCEL, 'hang-up');
    const [first, second] = [signatureIdIn(await signed()), signatureIdIn(await signed())];
    stage.platform.interfere = (call) => (call.includes(first) ? 'hang-up' : undefined);
    await sweepLater();
    expect([await stateOf(first), await stateOf(second)]).toEqual(['Pending', 'Canceled']);
    stage.platform.interfere = () => undefined;
    await sweepLater();
    expect([await stateOf(first), await underWay()]).toEqual(['Canceled', []]);
  });
});
