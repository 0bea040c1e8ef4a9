import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { DOCUMENT_FILTERS } from '../../../../../functions/documents/contract/documents.ts';
import { deadlineOf } from '../../../../../functions/documents/domain/calendar.ts';
import { changeDocument } from '../../../../../functions/documents/domain/document/change-document.ts';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { documentList } from '../../../../../functions/documents/domain/document/document-lists.ts';
import { documentStates } from '../../../../../functions/documents/domain/document/document-states.ts';
import { isAvailable } from '../../../../../functions/documents/domain/downloads/content-types.ts';
import { expireDocument } from '../../../../../functions/documents/domain/ending/end-document.ts';
import { renderListItem } from '../../../../../functions/documents/domain/lists/render-document.ts';
import { handler as cancel } from '../../../../../functions/documents/endpoints/documents/cancel-document.ts';
import { handler as version } from '../../../../../functions/documents/endpoints/documents/create-version.ts';
import { runs } from '../../../../faults/fuzz.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { ownStores } from '../../../own-stores.ts';
import { ownOrganization } from '../../own-organization.ts';
import { anUpload, someDocuments } from '../../sample-documents.ts';
import { recordedEventsOf, registerSilentWebhook } from '../../stage/recorded-events.ts';
import { runTasksAt } from '../../stage/run-tasks.ts';

await forFile(ownStores());

async function aDocument(more: Record<string, unknown> = {}) {
  const { orgId, key } = await ownOrganization();
  await registerSilentWebhook(orgId);
  const [id = ''] = await someDocuments(orgId, more);
  const ask = (handler: typeof cancel, json: unknown) =>
    call(handler, { params: { id }, headers: { 'X-API-Key': key }, json });
  const read = async () => {
    const found = await documentItems.get(id);
    if (!found) throw new Error('The document is gone.');
    return found;
  };
  return { orgId, id, ask, read };
}

describe("a document's states", () => {
  test('are those of the specification, and concluded, canceled and expired are for good', () => {
    expect(documentStates.states.toSorted()).toEqual(
      ['Pending', 'FlowConcluded', 'Concluded', 'Refused', 'Canceled', 'Expired'].toSorted(),
    );
    for (const state of ['Concluded', 'Canceled', 'Expired'] as const)
      for (const event of documentStates.events)
        expect(documentStates.next(state, event) ?? state).toBe(state);
  });

  test('any walk leaves the document in exactly the lists of the state it ended in', async () => {
    const events = fc.array(fc.constantFrom(...documentStates.events), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(events, async (walk) => {
        const { orgId, id, read } = await aDocument();
        for (const event of walk) {
          const document = await read();
          const change = changeDocument(document, { event, nowMs: Date.now() });
          if (documentStates.accepts(document.state, event)) await change;
          else await expect(change).rejects.toMatchObject({ code: 'InvalidDocumentStatus' });
        }
        const { state } = await read();
        const inLists = await Promise.all(
          [undefined, ...DOCUMENT_FILTERS].map(async (filter) => {
            const { ids } = await documentList({ organizationId: orgId, filter }).slice({
              offset: 0,
              limit: 9,
            });
            return ids.includes(id) ? [filter] : [];
          }),
        );
        const expected = {
          Pending: ['PendingOrRefused', 'Pending'],
          FlowConcluded: ['PendingOrRefused', 'Pending'],
          Refused: ['PendingOrRefused', 'Refused'],
          Concluded: ['Concluded'],
          Canceled: ['CanceledOrExpired', 'Canceled'],
          Expired: ['CanceledOrExpired', 'Expired'],
        }[state];
        expect(inLists.flat()).toEqual([undefined, ...expected]);
      }),
      { numRuns: runs(12) },
    );
  });
});

describe('POST /api/documents/{id}/cancellation', () => {
  test('cancels a pending document, says who and why, and tells of it', async () => {
    const { orgId, id, ask, read } = await aDocument();
    expect((await ask(cancel, { reason: 'Sent by mistake' })).status).toBe(200);
    expect(await read()).toMatchObject({
      state: 'Canceled',
      statusUpdatedBy: { id: orgId, type: 'Application' },
      statusUpdateReason: 'Sent by mistake',
    });
    expect((await recordedEventsOf(orgId)).at(-1)).toMatchObject({
      type: 'DocumentCanceled',
      data: {
        id,
        canceledBy: { id: orgId, name: orgId, type: 'Application' },
        reason: 'Sent by mistake',
      },
    });
  });

  test('is refused when the document has ended, and says in which status it is', async () => {
    const { ask, id } = await aDocument();
    await ask(cancel, { reason: 'once' });
    const again = await ask(cancel, { reason: 'twice' });
    expect(again.status).toBe(422);
    expect(again.json()).toMatchObject({
      code: 'InvalidDocumentStatus',
      details: { documentId: id, status: 'Canceled', operation: 'cancel' },
    });
  });

  test('of twenty at the same moment one is told of', async () => {
    const { orgId, ask } = await aDocument();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(cancel, { reason: 'now' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await recordedEventsOf(orgId)).filter(({ type }) => type === 'DocumentCanceled')).toHaveLength(1);
  });

  test('wants a reason', async () => {
    const { ask } = await aDocument();
    expect((await ask(cancel, { reason: ' ' })).status).toBe(400);
  });
});

describe('POST /api/documents/{id}/versions', () => {
  test('puts another file in its place and begins the flow again, with new actions', async () => {
    const { orgId, ask, read } = await aDocument();
    const before = await read();
    const file = { id: await anUpload(orgId, 'contrato-v2.bin', 55) };
    expect((await ask(version, { file })).status).toBe(200);
    const after = await read();
    expect(after).toMatchObject({
      state: 'Pending',
      round: 2,
      original: { name: 'contrato-v2.bin', size: 55 },
    });
    expect(after.flow.map(({ state }) => state)).toEqual(['Pending']);
    expect(after.flow[0]?.id).not.toBe(before.flow[0]?.id);
  });

  test('is refused for a document that was canceled, and leaves the upload for another', async () => {
    const { orgId, ask } = await aDocument();
    await ask(cancel, { reason: 'no' });
    const file = { id: await anUpload(orgId) };
    expect((await ask(version, { file })).json()).toMatchObject({ code: 'InvalidDocumentStatus' });
    const [other] = await someDocuments(orgId, { files: [file] });
    expect(other).toBeDefined();
  });
});

describe('expiration', () => {
  test('a document whose date passes without conclusion expires, and is told of with the day', async () => {
    const nowMs = Date.now();
    const { orgId, read } = await aDocument({ expirationDate: '2099-03-31', nowMs });
    await runTasksAt(deadlineOf('2099-03-31') - 1);
    expect((await read()).state).toBe('Pending');
    const { id, expiresAtMs } = await read();
    expect(await expireDocument(id, expiresAtMs ?? 0, (expiresAtMs ?? 0) + 1)).toBe('expired');
    expect((await read()).state).toBe('Expired');
    expect((await recordedEventsOf(orgId)).at(-1)).toMatchObject({
      type: 'DocumentExpired',
      data: { expirationDate: '2099-04-01T02:59:59.999Z', expirationDateWithoutTime: '2099-03-31' },
    });
  });

  test('counts before anyone has written it down: it is shown as Expired, and neither canceled nor given a version', async () => {
    const soonMs = Date.now() + 60_000;
    const { orgId, id, ask, read } = await aDocument({ expirationDate: new Date(soonMs).toISOString() });
    const file = { id: await anUpload(orgId) };
    vi.useFakeTimers({ now: soonMs + 1, toFake: ['Date'] });
    try {
      const found = await read();
      expect(renderListItem(found, { folder: undefined, organization: undefined }, Date.now())).toMatchObject(
        {
          status: 'Expired',
        },
      );
      expect(isAvailable('SignaturesManifest', found, Date.now())).toBe(false);
      expect((await ask(cancel, { reason: 'late' })).json()).toMatchObject({
        code: 'InvalidDocumentStatus',
        details: { status: 'Expired', operation: 'cancel' },
      });
      expect((await ask(version, { file })).json()).toMatchObject({ code: 'InvalidExpirationDate' });
      expect(await expireDocument(id, found.expiresAtMs ?? 0, Date.now())).toBe('expired');
    } finally {
      vi.useRealTimers();
    }
  });

  test('the task of a document that ended otherwise does nothing', async () => {
    const { ask, read } = await aDocument({ expirationDate: '2099-03-31' });
    await ask(cancel, { reason: 'before' });
    const { id, expiresAtMs } = await read();
    expect(await expireDocument(id, expiresAtMs ?? 0, (expiresAtMs ?? 0) + 1)).toBe('not-due');
    expect((await read()).state).toBe('Canceled');
  });

  test('a moment is itself, and a day ends in Brasília', () => {
    expect(new Date(deadlineOf('2026-11-15')).toISOString()).toBe('2026-11-16T02:59:59.999Z');
    expect(new Date(deadlineOf('2026-11-15T10:00:00-03:00')).toISOString()).toBe('2026-11-15T13:00:00.000Z');
  });
});
