import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { changeDegree } from '../../../../functions/credentials/degrees/domain/change-degree.ts';
import { changingItem, commitChanges } from '../../../../functions/credentials/flows/domain/change-item.ts';
import { createItem } from '../../../../functions/credentials/flows/domain/create-item.ts';
import { createInspectionFile } from '../../../../functions/credentials/inspection-files/domain/create-inspection-file.ts';
import { generateInspectionFile } from '../../../../functions/credentials/inspection-files/domain/generate-inspection-file.ts';
import { inspectedCodes } from '../../../../functions/credentials/inspection-files/domain/inspected-codes.ts';
import { handler as create } from '../../../../functions/credentials/inspection-files/endpoints/create-inspection-file.ts';
import { handler as get } from '../../../../functions/credentials/inspection-files/endpoints/get-inspection-file.ts';
import { handler as getXml } from '../../../../functions/credentials/inspection-files/endpoints/get-inspection-file-xml.ts';
import type { DegreeData, InspectionFileData } from '../../../../functions/credentials/items/domain/data.ts';
import { type Item, items } from '../../../../functions/credentials/items/domain/item.ts';
import { openItemFile } from '../../../../functions/credentials/items/domain/open-file.ts';
import { requestOf } from '../../../../functions/credentials/registrations/domain/registrations.ts';
import { institutes } from '../../../../functions/credentials/tenants/domain/organization.ts';
import { handler as runTask } from '../../../../functions/credentials/workers/run-task.ts';
import { deadlineIn } from '../../../../shared/async/deadline.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { ownStores } from '../../own-stores.ts';
import { aDegree, STUDIES, signed, stored } from '../items/own-items.ts';
import {
  callerOf,
  keyOf,
  ownInstitute,
  ownTenant,
  recordedTypes,
  registerSilentWebhook,
  type Tenant,
} from '../items/own-tenant.ts';

await forFile(ownStores());
afterEach(() => void vi.unstubAllEnvs());

const NOON = Date.UTC(2026, 2, 10, 12);
const DAY_MS = 86_400_000;
const LATER = NOON + 30 * DAY_MS;
const MARCH = { startDate: '2026-03-01', endDate: '2026-03-31', version: '1.05' } as const;

type Request = Partial<Pick<InspectionFileData, 'type' | 'startDate' | 'endDate'>>;
const aFile = ({ caller, institute }: Tenant, request: Request = {}, nowMs = LATER) =>
  createInspectionFile(caller, institute.id, { type: 'Issuer', ...MARCH, ...request }, nowMs);

/** Creates a file and runs its task. */
async function generated(tenant: Tenant, request: Request = {}, nowMs = LATER) {
  const file = await aFile(tenant, request, nowMs);
  await generateInspectionFile(file, () => nowMs + 1_000);
  return stored<InspectionFileData>(file);
}

const aSigned = async (tenant: Pick<Tenant, 'caller' | 'institute'>, atMs = NOON, request: object = {}) =>
  signed(await aDegree(tenant, request, atMs), atMs);
const codeOf = ({ data }: Item<DegreeData>) => data.verificationCode;
const xmlOf = async (item: Item) => text((await openItemFile(item, 'inspection-file', 'Original')).stream);
const codesOf = async (item: Item) =>
  [...(await xmlOf(item)).matchAll(/<CodigoValidacao>(.*?)</g)].map(([, code]) => code);

describe('an inspection file of an issuer', () => {
  test('names the signed degrees that the institute issued in the period, annulled ones included', async () => {
    const tenant = await ownTenant();
    const first = await aSigned(tenant, Date.UTC(2026, 2, 1));
    const last = await aSigned(tenant, Date.UTC(2026, 3, 1) - 1);
    await aSigned(tenant, Date.UTC(2026, 2, 1) - 1);
    await aSigned(tenant, Date.UTC(2026, 3, 1));
    const annulled = await aSigned(tenant, NOON);
    const annulment = { event: 'canceled', reason: 'Fraud', cancellationReason: 'Erro de Fato' } as const;
    await changeDegree(tenant.caller, annulled.id, annulment, NOON);
    const neverSigned = await aDegree(tenant, {}, NOON);
    await changeDegree(tenant.caller, neverSigned.id, annulment, NOON);
    await aDegree(tenant, {}, NOON);
    // Signed after the file was asked for: whenever the task runs, it is not in it.
    await signed(await aDegree(tenant, {}, NOON), LATER + 1);
    const other = await ownInstitute(tenant.organizationId);
    await aSigned({ ...tenant, institute: other }, NOON);

    const file = await generated(tenant);
    expect(file).toMatchObject({ state: 'Created', data: { inspectedDegreesNumber: 3, details: null } });
    expect(await codesOf(file)).toEqual([first, annulled, last].map(codeOf));
  });

  test('is written under the root of the schema', async () => {
    const tenant = await ownTenant({ emecCode: '55' });
    const degree = await aSigned(tenant);
    expect(await xmlOf(await generated(tenant))).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<ArquivoFiscalizacao><infArquivoFiscalizacaoEmissora>' +
        '<Versao>1.05</Versao><CodigoMEC>55</CodigoMEC><DataInicio>2026-03-01</DataInicio>' +
        '<DataFim>2026-03-31</DataFim><QuantidadeDiplomas>1</QuantidadeDiplomas>' +
        `<Diplomas><CodigoValidacao>${codeOf(degree)}</CodigoValidacao></Diplomas>` +
        '</infArquivoFiscalizacaoEmissora></ArquivoFiscalizacao>\n',
    );
  });
});

describe('an inspection file of a registrar', () => {
  const aRequest = async ({ institute }: Tenant, emissionId: string | null = null) =>
    createItem(
      {
        ...requestOf(institute, crypto.randomUUID(), {
          ...STUDIES,
          issuingIes: 'Outra',
          issuingIesCode: '9',
          description: null,
          emissionId,
        }),
        xml: [{ name: 'diploma', bytes: Buffer.from('<Diploma/>') }],
      },
      NOON,
    );
  const registeredAndSigned = async (request: Item) => {
    let item = await stored(request);
    for (const event of ['accepted', 'approved', 'registered']) {
      const change = await changingItem(item, { event }, NOON);
      await commitChanges([change]);
      item = change.after;
    }
    return signed(item, NOON);
  };

  test('names the degrees and the requests that the institute registered, each once', async () => {
    const tenant = await ownTenant();
    const own = await aSigned(tenant);
    const elsewhere = await ownInstitute(tenant.organizationId);
    const ofOther = await aSigned({ ...tenant, institute: elsewhere }, NOON + 1, {
      registeringInstituteId: tenant.institute.id,
    });
    await aSigned(tenant, NOON, { registeringInstituteId: elsewhere.id });
    const request = await aRequest(tenant);
    await registeredAndSigned(request);
    await aRequest(tenant);
    const file = await generated(tenant, { type: 'Registrar' });
    expect(await codesOf(file)).toEqual([request.data.verificationCode, codeOf(own), codeOf(ofOther)]);
    expect(await xmlOf(file)).toContain('<infArquivoFiscalizacaoRegistradora>');
  });

  test('names the degree of an emission and its request once: they have one code', async () => {
    const tenant = await ownTenant();
    const request = await aRequest(tenant, 'an-emission');
    await registeredAndSigned(request);
    const { verificationCode } = request.data;
    const degree = await aDegree(tenant, {}, NOON);
    const data = { ...degree.data, verificationCode, emissionId: 'an-emission' };
    await items.change(await stored(degree), { data });
    await signed(degree, NOON);
    const file = await generated(tenant, { type: 'Registrar' });
    expect([await codesOf(file), file.data.inspectedDegreesNumber]).toEqual([[verificationCode], 1]);
  });

  test('names a degree of another organization that it registered', async () => {
    const issuer = await ownTenant({ kinds: ['Emissora'] });
    const registrar = await ownTenant({ kinds: ['Registradora'] });
    const caller = callerOf([issuer.organizationId, registrar.organizationId]);
    const request = { registeringInstituteId: registrar.institute.id };
    const degree = await aSigned({ caller, institute: issuer.institute }, NOON, request);
    expect(await codesOf(await generated(registrar, { type: 'Registrar' }))).toEqual([codeOf(degree)]);
    expect(await codesOf(await generated(issuer))).toEqual([codeOf(degree)]);
  });
});

describe('the period of an inspection file', () => {
  test.each<[string, Request, number]>([
    ['that ends before it begins', { startDate: '2026-03-02', endDate: '2026-03-01' }, LATER],
    ['that ends after today', MARCH, NOON],
    ['that is tomorrow', { startDate: '2026-03-11', endDate: '2026-03-11' }, NOON],
  ])('%s is refused', async (_, period, nowMs) => {
    await expect(aFile(await ownTenant(), period, nowMs)).rejects.toMatchObject({
      code: 'InvalidPeriod',
      status: 422,
    });
  });

  test('may be a day, and today', async () => {
    const tenant = await ownTenant();
    await aSigned(tenant);
    const today = { startDate: '2026-03-10', endDate: '2026-03-10' };
    expect((await generated(tenant, today, NOON)).data.inspectedDegreesNumber).toBe(1);
  });

  test('has dates', async () => {
    const tenant = await ownTenant();
    const [params, headers] = [{ id: tenant.institute.id }, await keyOf(tenant)];
    for (const json of [
      { type: 'Issuer', startDate: '2026-02-30', endDate: '2026-03-01' },
      { type: 'Issuer', startDate: '2026-03-01T00:00:00Z', endDate: '2026-03-01' },
      { type: 'Both', startDate: '2026-03-01', endDate: '2026-03-01' },
    ]) {
      const answer = await call(create, { headers, params, json });
      expect([answer.status, answer.json()]).toMatchObject([422, { code: 'InvalidFields' }]);
    }
  });
});

describe('an inspection file that cannot be generated tells why', () => {
  const problem = async (tenant: Tenant, request: Request = {}) => {
    await registerSilentWebhook(tenant.institute.id);
    const file = await generated(tenant, request);
    expect([file.state, file.files]).toEqual(['GenerationError', []]);
    expect(await recordedTypes(tenant.institute.id)).toEqual([
      'InspectionFileCreated',
      'InspectionFileGenerationError',
    ]);
    return file.data.details;
  };

  test('where the period has no degree', async () => {
    expect(await problem(await ownTenant())).toBe(
      'The institute issued no degree that is signed in this period.',
    );
    expect(await problem(await ownTenant(), { type: 'Registrar' })).toBe(
      'The institute registered no degree that is signed in this period.',
    );
  });

  test('where its XML is too large', async () => {
    const tenant = await ownTenant();
    await aSigned(tenant);
    vi.stubEnv('Xml__MaxBytes', '100');
    expect(await problem(tenant)).toMatch(
      /^The file would have \d{3} bytes, and 100 are allowed\. Ask for a shorter period\.$/,
    );
  });

  test('where the period has more than can be looked at', async () => {
    const tenant = await ownTenant();
    await aSigned(tenant);
    await aDegree(tenant, {}, NOON);
    const file = await aFile(tenant);
    const deadline = deadlineIn(60_000, Date.now);
    await expect(inspectedCodes(file, deadline, 1)).rejects.toThrow(
      'The period has 2 items to look at, and 1 are allowed. Ask for a shorter one.',
    );
    expect(await inspectedCodes(file, deadline, 2)).toHaveLength(1);
  });

  test('where it takes longer than a task may', async () => {
    const tenant = await ownTenant();
    await aSigned(tenant);
    const file = await aFile(tenant);
    let nowMs = LATER;
    await generateInspectionFile(file, () => {
      nowMs += 60_000;
      return nowMs;
    });
    expect((await stored<InspectionFileData>(file)).data.details).toBeNull();
    const slow = await aFile(tenant);
    await generateInspectionFile(slow, () => {
      nowMs += 100_000;
      return nowMs;
    });
    expect(await stored<InspectionFileData>(slow)).toMatchObject({
      state: 'GenerationError',
      data: { details: 'The period took too long to look at. Ask for a shorter one.' },
    });
  });

  test('where the institute has no signers any more', async () => {
    const tenant = await ownTenant();
    await aSigned(tenant);
    const file = await aFile(tenant);
    await institutes.put({ ...tenant.institute, signers: [] });
    await generateInspectionFile(file, () => LATER);
    expect((await stored<InspectionFileData>(file)).data.details).toBe(
      'The institute names no signers any more. An operator names them.',
    );
    await expect(aFile(tenant)).rejects.toMatchObject({ code: 'SignersRequired' });
  });
});

describe('the task of an inspection file', () => {
  const dueTasks = async ({ id }: Item) =>
    (await everyItem('credentials'))
      .map(({ pk }) => pk?.S ?? '')
      .filter((pk) => pk.startsWith('DUE#') && pk.endsWith(id))
      .toSorted();
  const run = ({ kind, id }: Item) =>
    runTask({
      Records: [
        {
          messageId: id,
          body: JSON.stringify({ task: 'generate', kind, id }),
          attributes: { ApproximateReceiveCount: '1' },
          messageAttributes: {},
        },
      ],
    } as unknown as Parameters<typeof runTask>[0]);

  test('is recorded with the file, and then its hand-over; run again it does nothing', async () => {
    const tenant = await ownTenant();
    await aSigned(tenant);
    const file = await aFile(tenant);
    expect(file).toMatchObject({ state: 'Created', files: [], data: { inspectedDegreesNumber: 0 } });
    expect(await dueTasks(file)).toEqual([`DUE#generate:inspectionFile:${file.id}`]);
    expect(await run(file)).toEqual({ batchItemFailures: [] });
    const once = await stored(file);
    expect(once.files).toMatchObject([{ name: 'inspection-file', document: null, signed: null }]);
    expect(await dueTasks(file)).toContain(`DUE#handOver:inspectionFile:${file.id}`);
    expect(await run(file)).toEqual({ batchItemFailures: [] });
    expect(await stored(file)).toEqual(once);
  });

  test('run twice at once, it leaves one file and one hand-over', async () => {
    const tenant = await ownTenant();
    await aSigned(tenant);
    const file = await aFile(tenant);
    await Promise.all([1, 2, 3].map(() => generateInspectionFile(file, () => LATER)));
    expect((await stored(file)).files).toHaveLength(1);
    expect(await codesOf(await stored(file))).toHaveLength(1);
  });

  test('of a file that failed, or that is gone, does nothing', async () => {
    const failed = await generated(await ownTenant());
    await generateInspectionFile(failed, () => LATER);
    expect(await stored(failed)).toEqual(failed);
    await items.delete(failed);
    await generateInspectionFile(failed, () => LATER);
    expect(await items.get(failed)).toBeUndefined();
  });
});

test('a file is created, read and downloaded by its operations, by an issuer', async () => {
  const tenant = await ownTenant();
  await aSigned(tenant);
  const headers = await keyOf(tenant);
  const { id } = tenant.institute;
  const made = await call(create, { headers, params: { id }, json: { type: 'Issuer', ...MARCH } });
  expect([made.status, made.json()]).toMatchObject([
    201,
    {
      type: 'Issuer',
      ...MARCH,
      status: 'Created',
      inspectedDegreesNumber: 0,
      details: null,
      iesCode: '1234',
    },
  ]);
  const itemId = (made.json() as { id: string }).id;
  const params = { id, itemId };
  const name = 'inspection-file';
  expect((await call(getXml, { headers, params: { ...params, name } })).json()).toMatchObject({
    code: 'FileNotFound',
  });
  await generateInspectionFile({ kind: 'inspectionFile', id: itemId }, Date.now);
  const read = await call(get, { headers, params });
  expect(read.json()).toMatchObject({ inspectedDegreesNumber: 1, files: [{ name }] });
  expect((await call(getXml, { headers, params: { ...params, name } })).text).toContain(
    '<ArquivoFiscalizacao>',
  );
  const registrar = await ownTenant({ kinds: ['Registradora'] });
  await expect(aFile(registrar)).rejects.toMatchObject({ code: 'OrganizationKindMismatch' });
});
