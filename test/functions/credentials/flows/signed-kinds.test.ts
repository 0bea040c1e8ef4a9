import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { handler as createCancellationList } from '../../../../functions/credentials/cancellation-lists/endpoints/create-cancellation-list.ts';
import { handler as createCurriculum } from '../../../../functions/credentials/curriculums/endpoints/create-curriculum.ts';
import { changeDegree } from '../../../../functions/credentials/degrees/domain/change-degree.ts';
import type { Task } from '../../../../functions/credentials/flows/domain/tasks.ts';
import { handler as createInspectionFile } from '../../../../functions/credentials/inspection-files/endpoints/create-inspection-file.ts';
import { itemList, listItems } from '../../../../functions/credentials/items/domain/item-lists.ts';
import { judgeSigned } from '../../../../functions/credentials/items/domain/judge-signed.ts';
import { KINDS, type KindName } from '../../../../functions/credentials/items/domain/kinds.ts';
import { openItemFile } from '../../../../functions/credentials/items/domain/open-file.ts';
import { handler as createTranscript } from '../../../../functions/credentials/transcripts/endpoints/create-transcript.ts';
import { handler as runTask } from '../../../../functions/credentials/workers/run-task.ts';
import { documentItems } from '../../../../functions/documents/domain/document/document.ts';
import { signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { toRecord } from '../../../../infra/runtime/events/lambda-batch.ts';
import { killedAt } from '../../../faults/crash.ts';
import { call } from '../../../requests/http-event.ts';
import { hasXmlsec, xmlsec } from '../../../shared/signing/xades/xmlsec.ts';
import { aDegree, STUDIES, signed, stored } from '../items/own-items.ts';
import { keyOf, ownTenant, recordedTypes, registerSilentWebhook, type Tenant } from '../items/own-tenant.ts';
import { ANA, BRUNO, flowStage } from './stage.ts';

// The document platform is ours, behind a real server.

const stage = await flowStage();
const outside = xmlsec({
  root: signerOf(stage.sandbox.authority, 'root'),
  intermediate: signerOf(stage.sandbox.authority, 'intermediate'),
});
afterAll(async () => {
  outside.remove();
  await stage.stop();
});

/** A tenant whose events are recorded, those of the institute as well. */
async function toldTenant(): Promise<Tenant> {
  const tenant = await ownTenant();
  await registerSilentWebhook(tenant.organizationId);
  await registerSilentWebhook(tenant.institute.id);
  return tenant;
}

type Case = {
  readonly kind: KindName;
  readonly file: string;
  readonly root: string;
  /** The text in its XML that tells it from an empty one. */
  readonly content: RegExp;
  /** What its signers read above it. */
  readonly title: RegExp;
  readonly state: string;
  readonly events: readonly string[];
  /** Calls the operation that creates it. */
  readonly create: (tenant: Tenant) => ReturnType<typeof call>;
};

const FRAUD = { event: 'canceled', reason: 'Fraud', cancellationReason: 'Erro de Fato' } as const;
const DAY_LENGTH = '2026-03-02'.length;

const CASES: Readonly<Record<string, Case>> = {
  'an academic transcript': {
    kind: 'transcript',
    file: 'transcript',
    root: 'DocumentoHistoricoEscolarFinal',
    content: /Maria da Silva/,
    title: /^Histórico escolar de Maria da Silva, Engenharia Civil$/,
    state: 'Concluded',
    events: ['AcademicTranscriptConcluded', 'AcademicTranscriptCreated'],
    create: async (tenant) =>
      call(createTranscript, {
        headers: await keyOf(tenant),
        json: { ...STUDIES, type: 'Final', instituteId: tenant.institute.id },
      }),
  },
  'a curriculum': {
    kind: 'curriculum',
    file: 'curriculum',
    root: 'CurriculoEscolar',
    content: /CIV-2026/,
    title: /^Currículo CIV-2026, Engenharia Civil$/,
    state: 'Concluded',
    events: ['CurriculumConcluded', 'CurriculumCreated'],
    create: async (tenant) =>
      call(createCurriculum, {
        headers: await keyOf(tenant),
        json: { code: 'CIV-2026', course: 'Engenharia Civil', instituteId: tenant.institute.id },
      }),
  },
  'a list of annulled degrees': {
    kind: 'cancellationList',
    file: 'cancellation-list',
    root: 'ListaDiplomasAnulados',
    title: /^Lista de diplomas anulados nº 1, /,
    content: /<CodigoValidacao>1234\.1234\./,
    state: 'Signed',
    events: ['CancellationListCreated', 'CancellationListSigned'],
    create: async (tenant) => {
      const { id } = await signed(await aDegree(tenant));
      await changeDegree(tenant.caller, id, FRAUD, Date.now());
      return call(createCancellationList, {
        headers: await keyOf(tenant),
        params: { id: tenant.institute.id },
        json: { version: '1.05' },
      });
    },
  },
  'an inspection file': {
    kind: 'inspectionFile',
    file: 'inspection-file',
    root: 'ArquivoFiscalizacao',
    title: /^Arquivo de fiscalização da emissora, /,
    content: /<CodigoValidacao>1234\.1234\./,
    state: 'Signed',
    events: ['InspectionFileCreated', 'InspectionFileSigned'],
    create: async (tenant) => {
      const degree = await signed(await aDegree(tenant), Date.now() - 1);
      const startDate = new Date(degree.createdAtMs - 1_000).toISOString().slice(0, DAY_LENGTH);
      const endDate = new Date().toISOString().slice(0, DAY_LENGTH);
      return call(createInspectionFile, {
        headers: await keyOf(tenant),
        params: { id: tenant.institute.id },
        json: { type: 'Issuer', startDate, endDate, version: '1.05' },
      });
    },
  },
};

/** The look that waits comes to its time. */
async function nextLook(id: string): Promise<string[]> {
  await stage.sweep(3_700_000);
  return stage.run(id);
}

describe('signed by two people at our document platform', () => {
  test.each(Object.entries(CASES))(
    '%s moves once, when both have signed, however often the platform tells of it',
    async (_, tried) => {
      const { kind, file, root, content, title, state, events } = tried;
      const tenant = await toldTenant();
      const made = await tried.create(tenant);
      expect(made.status).toBe(201);
      const { id } = made.json() as { id: string };
      expect(await stage.run(id)).toContain('handOver');
      const handedOver = await stored({ kind, id });
      expect(handedOver).toMatchObject({
        state: 'Created',
        files: [{ name: file, document: { id: expect.any(String) }, signed: null, problem: null }],
      });
      const documentId = handedOver.files[0]?.document?.id ?? '';
      const document = await documentItems.get(documentId);
      expect(document?.name).toMatch(title);
      expect(document?.original.name).toBe(`${file}-${id}.xml`);

      await stage.sign(documentId, ANA);
      expect(await nextLook(id)).toEqual(['look']);
      expect(await stored({ kind, id })).toMatchObject({ state: 'Created', files: [{ signed: null }] });
      await stage.sign(documentId, BRUNO);
      const event = { type: 'DocumentConcluded', data: { id: documentId, name: 'forged.xml' } };
      for (let n = 0; n < 3; n++) expect((await stage.event(event)).json()).toEqual({ outcome: 'accepted' });
      expect(await stage.run(id)).toEqual(['event']);
      const item = await stored({ kind, id });
      expect(item).toMatchObject({ state, files: [{ signed: { wasJudgedValid: true }, problem: null }] });
      expect(await stage.recorded(id)).toEqual(events);
      expect(await nextLook(id)).not.toContain('look');
      await stage.event(event);
      await stage.run(id);
      expect((await stored({ kind, id })).version).toBe(item.version);

      const bytes = await buffer((await openItemFile(item, file, 'Signed')).stream);
      const text = bytes.toString();
      expect(text).toContain(`<${root}`);
      expect(text).toMatch(content);
      const report = await judgeSigned(bytes, Date.now());
      expect(report).toMatchObject({ outcome: 'valid', signatures: [{}, {}] });
      const ids = [...text.matchAll(/<ds:Signature [^>]*Id="([^"]+)"/g)].map(([, each]) => each ?? '');
      expect(ids).toHaveLength(2);
      if (!hasXmlsec) return;
      for (const signatureId of ids) expect(outside.judge(bytes, { signatureId })).toBe('OK');
      // What it calls good is the content: with another text it does not hold.
      const forged = Buffer.from(text.replace(content, 'X'));
      expect(outside.judge(forged, { signatureId: ids[0] ?? '' })).not.toBe('OK');
    },
  );
});

describe('a worker that is killed', () => {
  /** The look, as the queue delivers it. */
  const deliver = (id: string) => {
    const task: Task = { task: 'look', kind: 'degree', id, waitSeconds: 60 };
    return runTask({ Records: [toRecord({ MessageId: id, Body: JSON.stringify(task) }, '')] });
  };

  /** The state of a degree, after it is checked that the lists and the recorded events say the same. */
  async function agreedState({ organizationId }: Tenant, id: string): Promise<string> {
    const { state } = await stage.degree(id);
    const all = await listItems('degree', organizationId, { page: 1, pageSize: 50 });
    expect(all.items.map((item) => [item.id, item.state])).toEqual([[id, state]]);
    for (const each of KINDS.degree.states.states) {
      const { ids } = await itemList('degree', organizationId, each).slice({ offset: 0, limit: 50 });
      expect([each, ids]).toEqual([each, each === state ? [id] : []]);
    }
    expect(await recordedTypes(organizationId)).toEqual(
      state === 'Concluded' ? ['DegreeCreated', 'DegreeConcluded'] : ['DegreeCreated'],
    );
    return state;
  }

  // The document platform runs in the same process: a write of its own would count, and it dies with the worker.
  test('after any write of the look that takes the last file leaves a degree that is concluded once', async () => {
    const left: string[] = [];
    for (let write = 1; ; write++) {
      const tenant = await toldTenant();
      const { id } = await aDegree(tenant);
      await stage.run();
      const [diploma = '', documentation = ''] = await stage.documentsOf(id);
      for (const cpf of [ANA, BRUNO]) await stage.sign(diploma, cpf);
      await deliver(id);
      for (const cpf of [ANA, BRUNO]) await stage.sign(documentation, cpf);
      const before = await stage.degree(id);
      expect(before.files.map((file) => file.signed !== null)).toEqual([true, false]);

      const isKilled = await killedAt(write, 'after', () => deliver(id));
      const state = await agreedState(tenant, id);
      const killed = await stage.degree(id);
      // As long as it is not concluded, a look waits.
      expect([write, await stage.waitOf('look', id)]).toEqual([write, state === 'Created' ? 120 : undefined]);
      expect(await deliver(id)).toEqual({ batchItemFailures: [] });

      expect([write, await agreedState(tenant, id)]).toEqual([write, 'Concluded']);
      const degree = await stage.degree(id);
      // A second look at a degree that is concluded writes nothing.
      if (state === 'Concluded') expect(degree).toEqual(killed);
      const { files } = degree;
      expect(files[0]).toEqual(before.files[0]);
      expect(files.map(({ problem }) => problem)).toEqual([null, null]);
      for (const { name, signed: taken } of files) {
        const { stream } = await openItemFile(degree, name, 'Signed');
        expect((await buffer(stream)).length).toBe(taken?.length);
      }
      expect(await stage.waitOf('look', id)).toBeUndefined();
      if (!isKilled) break;
      left.push(state);
    }
    // It is killed before the commit and after it.
    expect(new Set(left)).toEqual(new Set(['Created', 'Concluded']));
  });
});
