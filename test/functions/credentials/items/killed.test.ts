import { describe, expect, test } from 'vitest';
import { createCancellationList } from '../../../../functions/credentials/cancellation-lists/domain/create-cancellation-list.ts';
import { changeDegree } from '../../../../functions/credentials/degrees/domain/change-degree.ts';
import { createInspectionFile } from '../../../../functions/credentials/inspection-files/domain/create-inspection-file.ts';
import { generateInspectionFile } from '../../../../functions/credentials/inspection-files/domain/generate-inspection-file.ts';
import type {
  CancellationListData,
  InspectionFileData,
} from '../../../../functions/credentials/items/domain/data.ts';
import { type Item, items } from '../../../../functions/credentials/items/domain/item.ts';
import { itemList, listItems } from '../../../../functions/credentials/items/domain/item-lists.ts';
import { KINDS, type KindName } from '../../../../functions/credentials/items/domain/kinds.ts';
import { openItemFile } from '../../../../functions/credentials/items/domain/open-file.ts';
import {
  changeTranscript,
  createTranscript,
} from '../../../../functions/credentials/transcripts/domain/transcripts.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { ownStores } from '../../own-stores.ts';
import { aDegree, STUDIES, signed, stored } from './own-items.ts';
import { ownTenant, recordedTypes, registerSilentWebhook, type Tenant } from './own-tenant.ts';

// A process is killed at each of its writes in turn, and its caller tries again:
//
//   process 1  |--write 1--write 2-- killed
//   process 2                          |--the same call--|
//
// Wherever it is killed, the state of an item, its place in the lists, its recorded events and its tasks agree.

/** Runs a case for every write, until a run is not killed any more. Answers the number of writes. */
async function atEveryWrite(run: (write: number) => Promise<boolean>): Promise<number> {
  for (let write = 1; ; write++) if (!(await run(write))) return write - 1;
}

await forFile(ownStores());

/** A tenant whose events are recorded, those of the institute as well. */
async function toldTenant(): Promise<Tenant> {
  const tenant = await ownTenant();
  await registerSilentWebhook(tenant.organizationId);
  await registerSilentWebhook(tenant.institute.id);
  return tenant;
}

const ownerOf = (kind: KindName, { organizationId, institute }: Tenant) =>
  KINDS[kind].owner === 'organization' ? organizationId : institute.id;

/** The items of a kind, after it is checked that every list has each item where its state says, and all its files. */
async function agreed(kind: KindName, tenant: Tenant): Promise<Item[]> {
  const owner = ownerOf(kind, tenant);
  const { items: found, totalCount } = await listItems(kind, owner, { page: 1, pageSize: 200 });
  const inTable = (await everyItem('credentials')).filter(
    ({ sk, kind: of, organizationId }) =>
      sk?.S === 'ITEM' && of?.S === kind && organizationId?.S === tenant.organizationId,
  );
  expect([totalCount, found.length]).toEqual([inTable.length, inTable.length]);
  for (const state of KINDS[kind].states.states) {
    const listed = await itemList(kind, owner, state).slice({ offset: 0, limit: 200 });
    const expected = found.filter((item) => item.state === state).map(({ id }) => id);
    expect([state, listed.ids.toSorted(), listed.total]).toEqual([
      state,
      expected.toSorted(),
      expected.length,
    ]);
  }
  for (const item of found)
    for (const { name } of item.files) (await openItemFile(item, name, 'Original')).stream.destroy();
  return [...found];
}

const dueTasks = async ({ kind, id }: Pick<Item, 'kind' | 'id'>) =>
  (await everyItem('credentials')).flatMap(({ pk }) => {
    const [, task] = pk?.S?.match(`^DUE#(\\w+):${kind}:${id}$`) ?? [];
    return task ? [task] : [];
  });

const FRAUD = { event: 'canceled', reason: 'Fraud', cancellationReason: 'Erro de Fato' } as const;

// A process that is killed before a write leaves what one leaves that is killed after the write before it.
describe('killed after a write', () => {
  test('of creating a degree with its transcript: both are there and told of once, or neither', async () => {
    const writes = await atEveryWrite(async (write) => {
      const tenant = await toldTenant();
      const create = () => aDegree(tenant, { academicTranscript: { type: 'Final' } });
      const isKilled = await killedAt(write, 'after', create);
      const count = (await agreed('degree', tenant)).length;
      expect([write, (await agreed('transcript', tenant)).length]).toEqual([write, count]);
      expect((await recordedTypes(tenant.organizationId)).length).toBe(2 * count);
      if (count === 0) await create();
      const [degree] = await agreed('degree', tenant);
      const [transcript] = await agreed('transcript', tenant);
      if (!degree || !transcript) return expect.fail(`nothing after write ${write}`);
      expect([await dueTasks(degree), await dueTasks(transcript)]).toEqual([['handOver'], ['handOver']]);
      expect((await recordedTypes(tenant.organizationId)).toSorted()).toEqual([
        'AcademicTranscriptCreated',
        'DegreeCreated',
      ]);
      return isKilled;
    });
    expect(writes).toBeGreaterThan(3);
  });

  test('of an annulment: the degree is annulled, told of and on the next list, once, or it is as it was', async () => {
    const writes = await atEveryWrite(async (write) => {
      const tenant = await toldTenant();
      const degree = await signed(await aDegree(tenant));
      const annul = () => changeDegree(tenant.caller, degree.id, FRAUD, Date.now());
      const isKilled = await killedAt(write, 'after', annul);
      const { state } = await stored(degree);
      await agreed('degree', tenant);
      const told = ['DegreeCreated', 'DegreeConcluded', ...(state === 'Canceled' ? ['DegreeCanceled'] : [])];
      expect([write, await recordedTypes(tenant.organizationId)]).toEqual([write, told]);
      await annul().catch((error: unknown) => expect(error).toMatchObject({ code: 'InvalidStatus' }));
      const [annulled] = await agreed('degree', tenant);
      expect([annulled?.state, (await recordedTypes(tenant.organizationId)).length]).toEqual(['Canceled', 3]);
      const list = await createCancellationList(
        tenant.caller,
        tenant.institute.id,
        { version: '1' },
        Date.now(),
      );
      expect([write, list.data.annulledDegreesNumber]).toEqual([write, 1]);
      return isKilled;
    });
    expect(writes).toBeGreaterThan(0);
  });

  test('of suspending and restoring a transcript: each step happens and is told of once', async () => {
    const writes = await atEveryWrite(async (write) => {
      const tenant = await toldTenant();
      const request = { ...STUDIES, type: 'Final', instituteId: tenant.institute.id } as const;
      const { id } = await signed(await createTranscript(tenant.caller, request, Date.now()));
      const step = (event: 'canceledTemporarily' | 'restored') =>
        changeTranscript(tenant.caller, id, { event, reason: 'Review' }, Date.now());
      const both = async () => {
        const { state } = await stored({ kind: 'transcript', id });
        if (state === 'Concluded') await step('canceledTemporarily');
        await step('restored');
      };
      const isKilled = await killedAt(write, 'after', both);
      const [item] = await agreed('transcript', tenant);
      const events = await recordedTypes(tenant.organizationId);
      // Created, concluded, and one for each step that was taken.
      const steps = events.length - 2;
      expect([write, item?.state]).toEqual([write, ['Concluded', 'CanceledTemporarily', 'Concluded'][steps]]);
      if (steps < 2) await both();
      expect((await recordedTypes(tenant.organizationId)).slice(2)).toEqual([
        'AcademicTranscriptCanceledTemporarily',
        'AcademicTranscriptConcluded',
      ]);
      await agreed('transcript', tenant);
      return isKilled;
    });
    expect(writes).toBeGreaterThan(1);
  });

  test('of creating a list: its number and its degrees are taken once, or are free for the next', async () => {
    const writes = await atEveryWrite(async (write) => {
      const tenant = await toldTenant();
      const { id } = await signed(await aDegree(tenant));
      await changeDegree(tenant.caller, id, FRAUD, Date.now());
      const create = () =>
        createCancellationList(tenant.caller, tenant.institute.id, { version: '1' }, Date.now());
      const isKilled = await killedAt(write, 'after', create);
      await create();
      const lists = (await agreed('cancellationList', tenant)) as Item<CancellationListData>[];
      const numbers = lists.map(({ data }) => data.sequenceNumber).toSorted();
      expect([write, numbers]).toEqual([write, lists.map((_, n) => n + 1)]);
      const named = lists.reduce((sum, { data }) => sum + data.annulledDegreesNumber, 0);
      expect([write, named]).toEqual([write, 1]);
      const told = await recordedTypes(tenant.institute.id);
      expect(told).toEqual(lists.map(() => 'CancellationListCreated'));
      return isKilled;
    });
    expect(writes).toBeGreaterThan(1);
  });

  test('of an inspection file and its task: it is generated once, and handed over', async () => {
    const writes = await atEveryWrite(async (write) => {
      const tenant = await toldTenant();
      // Midnight may pass on the way.
      const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
      const signedAtMs = Date.now() - 1;
      await signed(await aDegree(tenant), signedAtMs);
      const period = { startDate: dayOf(signedAtMs), endDate: dayOf(Date.now()) };
      const request = { type: 'Issuer', ...period, version: '1' } as const;
      const create = () => createInspectionFile(tenant.caller, tenant.institute.id, request, Date.now());
      const isKilled = await killedAt(write, 'after', async () =>
        generateInspectionFile(await create(), Date.now),
      );
      const [left] = await agreed('inspectionFile', tenant);
      // A file waits for its task, or its signers: one of the two is recorded.
      if (left) expect(await dueTasks(left)).toContain(left.files.length > 0 ? 'handOver' : 'generate');
      await generateInspectionFile(left ?? (await create()), Date.now);
      const [file, ...others] = (await agreed('inspectionFile', tenant)) as Item<InspectionFileData>[];
      expect([write, file?.data.inspectedDegreesNumber, file?.files.length, others]).toEqual([
        write,
        1,
        1,
        [],
      ]);
      expect(await recordedTypes(tenant.institute.id)).toEqual(['InspectionFileCreated']);
      expect(file && (await dueTasks(file))).toContain('handOver');
      return isKilled;
    });
    expect(writes).toBeGreaterThan(3);
  });

  test('of an inspection file that cannot be generated: it fails and is told of once', async () => {
    const writes = await atEveryWrite(async (write) => {
      const tenant = await toldTenant();
      const request = {
        type: 'Issuer',
        startDate: '2026-01-01',
        endDate: '2026-01-01',
        version: '1',
      } as const;
      const file = await createInspectionFile(tenant.caller, tenant.institute.id, request, Date.now());
      const isKilled = await killedAt(write, 'after', () => generateInspectionFile(file, Date.now));
      await generateInspectionFile(file, Date.now);
      const [failed] = await agreed('inspectionFile', tenant);
      expect([write, failed?.state]).toEqual([write, 'GenerationError']);
      expect(await recordedTypes(tenant.institute.id)).toEqual([
        'InspectionFileCreated',
        'InspectionFileGenerationError',
      ]);
      expect(await items.get(file)).toMatchObject({ lastEvents: { InspectionFile: 'generationError' } });
      return isKilled;
    });
    expect(writes).toBeGreaterThan(0);
  });
});
