import { describe, expect, test } from 'vitest';
import { monthOf, storageOf, usageOf } from '../../../../../functions/documents/domain/billing/usage.ts';
import { tickets } from '../../../../../functions/documents/domain/document/action-link.ts';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { readWithTraces } from '../../../../../functions/documents/domain/mail/document-mails.ts';
import { completeSignature } from '../../../../../functions/documents/domain/signing/complete-signature.ts';
import {
  forgetSignature,
  startedSignatures,
} from '../../../../../functions/documents/domain/signing/started-signature.ts';
import { handler as revokeActionUrls } from '../../../../../functions/documents/endpoints/signing/revoke-action-urls.ts';
import { hashSecret } from '../../../../../shared/access/secrets.ts';
import { files } from '../../../../../shared/files/files.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import {
  asApplication,
  byKey,
  certificateOf,
  partsOf,
  type StartResponse,
  sign,
  signatureBy,
  started,
} from './calls.ts';
import { interfereBeforeNextTransaction, loseNextResponse, withoutDeletions } from './interference.ts';
import { approver, current, pendingDocument, signedBytes, signer } from './pending-document.ts';
import { signingStage } from './stage.ts';

const [FIRST, SECOND] = ['52998224725', '47363361886'] as const;
const MINUTE_MS = 60_000;

const stage = await forFile(signingStage());
const pdf = await plainPdf('table');

const waiting = (...flow: unknown[]) =>
  pendingDocument({ organizationId: stage.orgId, bytes: pdf, flow: flow.length ? flow : [signer(FIRST)] });

/** A started signature, ready for its second step. */
async function ready(document: { readonly id: string }, cpf: string = FIRST) {
  const key = stage.holder(cpf);
  const first = await started(stage.key, document, key);
  return { token: first.token, signature: await signatureBy(key, first) };
}

const complete = async (document: { readonly id: string }, value: object) => {
  const { status, json } = await asApplication(stage.key)('complete', document, value);
  return { status, ...(json() as { success?: boolean; code?: string }) };
};

const keysOf = async ({ id }: { readonly id: string }): Promise<string[]> =>
  (await files('documents').list(`documents/${id}/`)).files.map(({ key }) => key);

const AGAIN = { status: 422, code: 'InvalidSignatureToken', message: expect.stringContaining('again') };

describe('a token', () => {
  test('completes one signature, once', async () => {
    const document = await waiting();
    const value = await ready(document);
    expect(await complete(document, value)).toMatchObject({ status: 200, success: true });
    const id = { documentId: document.id, hash: hashSecret(value.token) };
    expect(await startedSignatures.get(id)).toBeUndefined();
    expect(await complete(document, value)).toMatchObject(AGAIN);
    expect(await current(document)).toMatchObject({ signed: { revision: 1 } });
  });

  test('ends when its time is over', async () => {
    const document = await waiting();
    const value = await ready(document);
    const caller = {
      application: 'x',
      keyId: '',
      permissions: [],
      registered: { organizations: [stage.orgId] },
    };
    const at = (afterMs: number) => completeSignature(caller, document.id, value, Date.now() + afterMs);
    await expect(at(10 * MINUTE_MS + 1)).rejects.toMatchObject({ code: 'InvalidSignatureToken' });
    await expect(at(9 * MINUTE_MS)).resolves.toMatchObject({ success: true });
  });

  test('is of one document, and nothing like it completes anything', async () => {
    const [document, other] = [await waiting(), await waiting()];
    const { token, signature } = await ready(document);
    expect(await complete(other, { token, signature })).toMatchObject(AGAIN);
    const renamed = token.replace(document.id.replaceAll('-', ''), other.id.replaceAll('-', ''));
    for (const wrong of [renamed, token.slice(0, -1), `${token}A`, 'x', document.id.replaceAll('-', '')])
      expect(await complete(other, { token: wrong, signature })).toMatchObject(AGAIN);
  });

  test('is kept as a hash alone', async () => {
    const document = await waiting();
    const { token } = await ready(document);
    const kept = await startedSignatures.get({ documentId: document.id, hash: hashSecret(token) });
    expect(kept).toBeDefined();
    expect(JSON.stringify(kept)).not.toContain(token.slice(32));
  });

  test('is kept with nothing that says who signs what: the record is sealed, for this token', async () => {
    const [document, other] = [await waiting(), await waiting()];
    const [first, second] = [await ready(document), await ready(other)];
    const keep = (of: { id: string }, { token }: { token: string }) =>
      startedSignatures.get({ documentId: of.id, hash: hashSecret(token) });
    const [one, two] = [await keep(document, first), await keep(other, second)];
    if (!one || !two) throw new Error('The starts were not kept.');
    expect(one).not.toHaveProperty('certificate');
    expect(one.sealedRecord).toMatch(/^s1\./);
    await startedSignatures.change(one, { sealedRecord: two.sealedRecord });
    expect(await complete(document, first)).toMatchObject(AGAIN);
    expect(await complete(other, second)).toMatchObject({ success: true });
  });

  test('counts no more once the document has another version', async () => {
    const document = await waiting();
    const value = await ready(document);
    await documentItems.change(await current(document), { round: 1 });
    expect(await complete(document, value)).toMatchObject(AGAIN);
  });

  test('does not sign what was canceled meanwhile, or whose date is over', async () => {
    const [canceled, over] = [await waiting(), await waiting()];
    const values = [await ready(canceled), await ready(over)];
    await documentItems.change(await current(canceled), { state: 'Canceled' });
    await documentItems.change(await current(over), { expiresAtMs: Date.now() - 1 });
    expect(await complete(canceled, values[0] ?? {})).toMatchObject({ code: 'InvalidDocumentStatus' });
    expect(await complete(over, values[1] ?? {})).toMatchObject({
      code: 'InvalidDocumentStatus',
      details: { status: 'Expired' },
    });
  });

  test('is not used up by a wrong signature, which leaves nothing behind', async () => {
    const document = await waiting();
    const { token, signature } = await ready(document);
    const { signature: foreign } = await ready(await waiting(signer(SECOND)), SECOND);
    for (const wrong of [foreign, Buffer.alloc(256, 1).toString('base64'), 'AA=='])
      expect(await complete(document, { token, signature: wrong })).toMatchObject({
        status: 422,
        code: 'InvalidSignature',
      });
    expect(await keysOf(document)).toEqual([]);
    expect(await complete(document, { token, signature })).toMatchObject({ success: true });
  });
});

describe('a link that is revoked', () => {
  async function aLink() {
    const document = await waiting();
    const answer = await asApplication(stage.key)('action-url', document, { identifier: FIRST });
    const { key, ticket } = partsOf((answer.json() as { url: string }).url);
    const revoke = () =>
      call(revokeActionUrls, {
        params: { id: document.id },
        headers: { 'X-API-Key': stage.key },
        json: { identifier: FIRST },
      });
    const start = () => byKey('start', key, { ticket, certificate: certificateOf(stage.holder(FIRST)) });
    return { document, key, revoke, start };
  }

  test('completes no signature that was started by it', async () => {
    const { document, key, revoke, start } = await aLink();
    const first = (await start()).json() as StartResponse;
    const signature = await signatureBy(stage.holder(FIRST), first);
    expect((await revoke()).status).toBe(204);
    expect((await byKey('complete', key, { token: first.token, signature })).json()).toMatchObject({
      code: 'InvalidSignatureToken',
    });
    expect(await current(document)).toMatchObject({ state: 'Pending' });
  });

  test('starts none either, at whatever moment of the start it is revoked', async () => {
    const { revoke, start } = await aLink();
    interfereBeforeNextTransaction(revoke);
    expect((await start()).json()).toMatchObject({ code: 'InvalidTicket' });
  });

  test('that is opened in another window meanwhile starts its signature', async () => {
    const { start, document } = await aLink();
    const [link] = (await readWithTraces(document.id)).links;
    interfereBeforeNextTransaction(async () => link && tickets.change(link, { lastOpenedAtMs: Date.now() }));
    expect((await start()).json()).toMatchObject({ success: true });
  });
});

test('what is charged and kept: each signature once, and the bytes of the newest signed file', async () => {
  const month = monthOf(Date.now());
  const [before, stored] = [await usageOf(stage.orgId, month), await storageOf(stage.orgId)];
  const document = await waiting(signer(FIRST), signer(SECOND));
  for (const cpf of [FIRST, SECOND]) await sign(stage.key, document, stage.holder(cpf));
  const after = await usageOf(stage.orgId, month);
  expect(after.Signature - before.Signature).toBe(2);
  expect((await storageOf(stage.orgId)) - stored).toBe((await signedBytes(document)).length);
});

describe('races', () => {
  // one    |--start---- complete: wins --|
  // other      |--start---------- complete: what it signed is not the newest any more --|
  test('of two signatures over the same file the first wins, and the other is told to start again', async () => {
    const document = await waiting(signer(FIRST), signer(SECOND));
    const values = [await ready(document, FIRST), await ready(document, SECOND)];
    const answers = await Promise.all(values.map((value) => complete(document, value)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 422)).toMatchObject(AGAIN);
    expect(await current(document)).toMatchObject({ state: 'Pending', signed: { revision: 1 } });

    const loser = answers[0]?.status === 200 ? SECOND : FIRST;
    expect((await sign(stage.key, document, stage.holder(loser))).status).toBe(200);
    expect(await current(document)).toMatchObject({ state: 'FlowConcluded', signed: { revision: 2 } });
  });

  test('of two that complete one token at once one wins, and its file is the only one left', async () => {
    const document = await waiting(signer(FIRST), signer(SECOND));
    const value = await ready(document);
    const answers = await Promise.all([1, 2, 3].map(() => complete(document, value)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
    const { signed } = await current(document);
    expect(await keysOf(document)).toEqual([signed?.key]);
  });

  // signer    |--reads---- file ----------- commit refused -- reads again -- commit --|
  // approver                |--approves--|
  test('somebody who approves meanwhile costs the signer nothing', async () => {
    const document = await waiting(signer(FIRST), approver('a@example.com'));
    const value = await ready(document);
    interfereBeforeNextTransaction(async () => {
      expect((await asApplication(stage.key)('approve', document, {})).status).toBe(200);
    });
    expect(await complete(document, value)).toMatchObject({ success: true });
    expect(await current(document)).toMatchObject({ state: 'FlowConcluded', signed: { revision: 1 } });
  });

  test('a signer who comes after a refusal signs nothing', async () => {
    const document = await waiting(signer(FIRST), signer(SECOND));
    const value = await ready(document);
    interfereBeforeNextTransaction(() =>
      asApplication(stage.key)('refuse', document, { reason: 'No.', identifier: SECOND }),
    );
    expect(await complete(document, value)).toMatchObject({ code: 'InvalidDocumentStatus' });
    expect(await current(document)).toMatchObject({ state: 'Refused', signed: null });
    expect(await keysOf(document)).toEqual([]);
  });
});

describe('a function that is killed', () => {
  test('between the file and the document leaves the document waiting, and its token good', async () => {
    const document = await waiting();
    const value = await ready(document);
    interfereBeforeNextTransaction(killed);
    const restore = withoutDeletions();
    expect(await complete(document, value)).toMatchObject({ status: 500 });
    restore();
    const [orphan = ''] = await keysOf(document);
    expect(orphan).not.toBe('');
    expect(await current(document)).toMatchObject({ state: 'Pending', signed: null });

    expect(await complete(document, value)).toMatchObject({ success: true });
    const { signed } = await current(document);
    expect((await keysOf(document)).toSorted()).toEqual([orphan, signed?.key].toSorted());

    // Its leftover file is removed when the token expires. The document's own file stays, however often that runs.
    for (const _ of [1, 2]) await forgetSignature(document.id, hashSecret(value.token));
    expect(await keysOf(document)).toEqual([signed?.key]);
  });

  // this    |--file-- commit ... answer lost -- the same again: refused, for the token is used --|
  // store               written
  test.each(['fail', 'send again'] as const)(
    'is not taken for one: a commit that was written and whose answer was lost is a signature (%s)',
    async (then) => {
      const document = await waiting();
      const value = await ready(document);
      loseNextResponse(then);
      expect(await complete(document, value)).toMatchObject({ status: 200, success: true });
      const { signed, state } = await current(document);
      expect(state).toBe('FlowConcluded');
      expect(await keysOf(document)).toEqual([signed?.key]);
    },
  );

  test('before the second step leaves a token that is forgotten in time', async () => {
    const document = await waiting();
    const value = await ready(document);
    await forgetSignature(document.id, hashSecret(value.token));
    expect(await complete(document, value)).toMatchObject(AGAIN);
    expect((await sign(stage.key, document, stage.holder(FIRST))).status).toBe(200);
  });
});

const killed = async (): Promise<never> => {
  throw new Error('The function was killed.');
};
