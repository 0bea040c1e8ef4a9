import { text } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { readNextList } from '../../../../functions/credentials/cancellation-lists/domain/annulments.ts';
import { createCancellationList } from '../../../../functions/credentials/cancellation-lists/domain/create-cancellation-list.ts';
import { handler as create } from '../../../../functions/credentials/cancellation-lists/endpoints/create-cancellation-list.ts';
import { handler as get } from '../../../../functions/credentials/cancellation-lists/endpoints/get-cancellation-list.ts';
import { handler as getXml } from '../../../../functions/credentials/cancellation-lists/endpoints/get-cancellation-list-xml.ts';
import { changeDegree } from '../../../../functions/credentials/degrees/domain/change-degree.ts';
import type {
  CancellationListData,
  DegreeData,
} from '../../../../functions/credentials/items/domain/data.ts';
import type { Item } from '../../../../functions/credentials/items/domain/item.ts';
import { listItems } from '../../../../functions/credentials/items/domain/item-lists.ts';
import { openItemFile } from '../../../../functions/credentials/items/domain/open-file.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStrictStores } from '../../own-stores.ts';
import { aDegree, signed } from '../items/own-items.ts';
import { callerOf, keyOf, ownTenant, type Tenant } from '../items/own-tenant.ts';

const FRAUD = { event: 'canceled', reason: 'Fraud', cancellationReason: 'Erro de Fato' } as const;

const annul = ({ caller }: Tenant, degree: Item, nowMs = Date.now()) =>
  changeDegree(caller, degree.id, FRAUD, nowMs);
const anAnnulled = async (tenant: Tenant, nowMs = Date.now()): Promise<Item<DegreeData>> =>
  annul(tenant, await signed(await aDegree(tenant)), nowMs);
const nextList = ({ caller, institute }: Tenant, nowMs = Date.now()) =>
  createCancellationList(caller, institute.id, { version: '1.05' }, nowMs);

const xmlOf = async (item: Item) => text((await openItemFile(item, 'cancellation-list', 'Original')).stream);
const codesIn = (xml: string) => [...xml.matchAll(/<CodigoValidacao>(.*?)</g)].map(([, code]) => code);
const codesOf = async (item: Item) => codesIn(await xmlOf(item));
const codeOf = ({ data }: Item<DegreeData>) => data.verificationCode;

// Transactions that meet are cancelled here, as on AWS.
await forFile(ownStrictStores());

describe('a list of annulled degrees', () => {
  test('has the next number and the degrees annulled since the list before, each on one list', async () => {
    const tenant = await ownTenant();
    const [a, b] = [await anAnnulled(tenant), await anAnnulled(tenant)];
    const first = await nextList(tenant);
    const c = await anAnnulled(tenant);
    const second = await nextList(tenant);
    const third = await nextList(tenant);
    expect(
      [first, second, third].map(({ data }) => [data.sequenceNumber, data.annulledDegreesNumber]),
    ).toEqual([
      [1, 2],
      [2, 1],
      [3, 0],
    ]);
    expect([await codesOf(first), await codesOf(second), await codesOf(third)]).toEqual([
      [codeOf(a), codeOf(b)],
      [codeOf(c)],
      [],
    ]);
  });

  test('is written under the root of the schema, with reason and time of each annulment', async () => {
    const tenant = await ownTenant({ emecCode: '987' });
    const atMs = Date.UTC(2026, 2, 2, 12);
    const degree = await anAnnulled(tenant, atMs);
    vi.stubEnv('CancellationLists__NextUpdate', '2.00:00:00');
    const made = await nextList(tenant, atMs + 1_000);
    vi.unstubAllEnvs();
    expect(made.data).toMatchObject({ iesCode: '987', maximumNextUpdateDate: '2026-03-04T12:00:01.000Z' });
    expect(await xmlOf(made)).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<ListaDiplomasAnulados><Versao>1.05</Versao>' +
        '<NumeroDeSequencia>1</NumeroDeSequencia>' +
        '<IESRegistradora><Nome>Universidade Própria</Nome><CodigoMEC>987</CodigoMEC></IESRegistradora>' +
        `<DiplomasAnulados><DiplomaAnulado><CodigoValidacao>${codeOf(degree)}</CodigoValidacao>` +
        '<DataAnulacao>2026-03-02T12:00:00.000Z</DataAnulacao><MotivoAnulacao>Erro de Fato</MotivoAnulacao>' +
        '</DiplomaAnulado></DiplomasAnulados>' +
        '<DataMaximaProximaAtualizacao>2026-03-04T12:00:01.000Z</DataMaximaProximaAtualizacao>' +
        '</ListaDiplomasAnulados>\n',
    );
  });

  test('has a suspended degree that was annulled, and none that was never concluded or that is only suspended', async () => {
    const tenant = await ownTenant();
    await annul(tenant, await aDegree(tenant));
    const suspend = async (degree: Item) =>
      changeDegree(tenant.caller, degree.id, { event: 'canceledTemporarily', reason: 'Review' }, Date.now());
    await suspend(await signed(await aDegree(tenant)));
    const degree = await annul(tenant, await suspend(await signed(await aDegree(tenant))));
    expect(await codesOf(await nextList(tenant))).toEqual([codeOf(degree)]);
  });

  test('is of the institute that registered the degree, of whatever organization', async () => {
    const [issuer, registrar] = [
      await ownTenant({ kinds: ['Emissora'] }),
      await ownTenant({ kinds: ['Registradora'] }),
    ];
    const caller = callerOf([issuer.organizationId, registrar.organizationId]);
    const both = { caller, institute: issuer.institute };
    const degree = await signed(await aDegree(both, { registeringInstituteId: registrar.institute.id }));
    // The issuer annuls it; the registrar's key is not needed.
    await annul(issuer, degree);
    expect(await codesOf(await nextList(registrar))).toEqual([codeOf(degree)]);
    await expect(nextList(issuer)).rejects.toMatchObject({ code: 'OrganizationKindMismatch' });
  });

  test('needs signers, and an institute of the key', async () => {
    const nobody = await ownTenant({ signers: [] });
    await expect(nextList(nobody)).rejects.toMatchObject({ code: 'SignersRequired' });
    const { institute } = await ownTenant();
    await expect(nextList({ ...nobody, institute })).rejects.toMatchObject({ code: 'InstituteNotFound' });
  });

  test('has no more degrees than one file may have; the next list has the others', async () => {
    const tenant = await ownTenant();
    const degrees = [await anAnnulled(tenant), await anAnnulled(tenant), await anAnnulled(tenant)];
    vi.stubEnv('Xml__MaxBytes', '700');
    const lists = [await nextList(tenant), await nextList(tenant), await nextList(tenant)];
    vi.unstubAllEnvs();
    expect(lists.map(({ data }) => [data.sequenceNumber, data.annulledDegreesNumber])).toEqual([
      [1, 2],
      [2, 1],
      [3, 0],
    ]);
    const codes = await Promise.all(lists.map(codesOf));
    expect(codes.flat()).toEqual(degrees.map(codeOf));
  });

  // caller 1  |--reads the log--XML--|--commits--|
  // caller 2     |--reads the log--XML--|--refused, reads again--XML--|--commits--|
  // degrees   |--annulled--|  |--annulled--|   |--annulled--| ...
  test('never has a gap, a repeat or a lost degree, when callers and annulments meet', async () => {
    const tenant = await ownTenant();
    const degrees = await Promise.all(Array.from({ length: 8 }, async () => signed(await aDegree(tenant))));
    const work = degrees.flatMap((degree, n) => [
      () => annul(tenant, degree),
      ...(n % 2 === 0 ? [() => nextList(tenant)] : []),
    ]);
    await Promise.all(work.map((run) => run()));
    await nextList(tenant);
    const { items, totalCount } = await listItems('cancellationList', tenant.institute.id, {
      page: 1,
      pageSize: 200,
    });
    const lists = (items as Item<CancellationListData>[]).toSorted(
      (a, b) => a.data.sequenceNumber - b.data.sequenceNumber,
    );
    expect(totalCount).toBe(5);
    expect(lists.map(({ data }) => data.sequenceNumber)).toEqual([1, 2, 3, 4, 5]);
    const named = (await Promise.all(lists.map(codesOf))).flat();
    expect(named.toSorted()).toEqual(degrees.map(codeOf).toSorted());
  });

  test('has the oldest degrees where there are more than it may have', async () => {
    const tenant = await ownTenant();
    const degrees: Item<DegreeData>[] = [];
    for (let n = 0; n < 7; n++) degrees.push(await anAnnulled(tenant));
    const { annulled, sequenceNumber } = await readNextList(tenant.institute.id, 6);
    expect(annulled.map(({ verificationCode }) => verificationCode)).toEqual(degrees.slice(0, 6).map(codeOf));
    expect([annulled.map(({ number }) => number), sequenceNumber]).toEqual([[1, 2, 3, 4, 5, 6], 1]);
  });
});

test('a list is created, read and downloaded by its operations', async () => {
  const tenant = await ownTenant();
  const headers = await keyOf(tenant);
  const { id } = tenant.institute;
  await anAnnulled(tenant);
  const created = await call(create, { headers, params: { id }, json: {} });
  expect([created.status, created.json()]).toMatchObject([
    201,
    { status: 'Created', sequenceNumber: 1, annulledDegreesNumber: 1, version: '1.05', instituteId: id },
  ]);
  const itemId = (created.json() as { id: string }).id;
  expect((await call(get, { headers, params: { id, itemId } })).json()).toEqual(created.json());
  const xml = await call(getXml, { headers, params: { id, itemId, name: 'cancellation-list' } });
  expect([xml.status, xml.headers['content-type'], codesIn(xml.text).length]).toEqual([
    200,
    'application/xml',
    1,
  ]);
});
