import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CallOptions, type Json, openService, type Service } from './support/contract.ts';
import { type Holder, holder } from './support/holders.ts';
import { sharedEngine } from './support/shared-engine.ts';

// Whom institutes name, in this order: support/engine.ts.
const SIGNERS = ['52998224725', '47363361886'];
// The organization of the document platform in which the people sign, as docs/sandbox.md says.
const PLATFORM_KEY = 'credentials|sinete-local-key';

// Refused on a default start. Restamps send events with Webhooks:RestampEvents alone, and are tried again after their
// timestamp authority failed.
const REFUSED = ['resendRestamp', 'changeRestamp'];

const { url, folder, applications } = sharedEngine();
const [first, second] = applications;
const instituteId = first?.institute ?? '';
const registrar = second?.institute ?? '';
const ofSecond = { key: second?.keys.credentials ?? '' };

let credentials: Service;
let platform: Service;
let people: ReadonlyMap<string, Holder>;
beforeAll(async () => {
  credentials = await openService(url, 'credentials', first?.keys.credentials ?? '');
  platform = await openService(url, 'documents', PLATFORM_KEY);
  people = new Map(
    await Promise.all(SIGNERS.map(async (cpf) => [cpf, await holder(folder, cpf, '1234')] as const)),
  );
});

const call = (operation: string, options?: CallOptions) => credentials.call(operation, options);
const json = async (operation: string, options?: CallOptions): Promise<Json> =>
  (await call(operation, options)).json;

const student = (course = 'Engenharia Civil') => ({
  studentName: 'Maria da Silva',
  studentCpf: '52998224725',
  course,
  instituteId,
});

/** Reads an item until it has the status. */
async function becomes(
  read: string,
  path: Record<string, string>,
  status: string,
  options: CallOptions = {},
) {
  const item = () => json(read, { ...options, path });
  await expect.poll(async () => (await item()).status).toBe(status);
  return item();
}

/** Those whom the institute names sign each file of an item at the document platform. */
async function signFiles(
  read: string,
  path: Record<string, string>,
  options: CallOptions = {},
): Promise<void> {
  const files = async (): Promise<Json[]> => (await json(read, { ...options, path })).files;
  const isSigned = ({ signedAt }: Json) => signedAt !== null;
  await expect
    .poll(async () => (await files()).every((file) => isSigned(file) || file.signerDocumentId !== null))
    .toBe(true);
  const open = (await files()).filter((file) => !isSigned(file));
  for (const { signerDocumentId: id } of open)
    for (const cpf of SIGNERS) {
      const person = people.get(cpf);
      if (!person) throw new Error(`Nobody has the CPF ${cpf}`);
      const body = { certificate: person.certificate };
      const { token, toSignData } = (await platform.call('startSignature', { path: { id }, body })).json;
      const signature = person.sign(Buffer.from(toSignData, 'base64'));
      await platform.call('completeSignature', { path: { id }, body: { token, signature } });
    }
}

describe('the credential platform', () => {
  test('is healthy', async () => {
    expect(await json('getHealth', { key: null })).toEqual({ status: 'ok' });
    await call('getOpenapi', { key: null });
  });

  describe('has an organization', () => {
    const path = { id: first?.university ?? '' };

    test('with institutes and their signers', async () => {
      const { items } = await json('listInstitutes', { path });
      expect(items.map(({ id }: Json) => id)).toEqual([instituteId]);
      const signers = SIGNERS.map((cpf, index) => ({
        name: `Signer ${index + 1}`,
        cpf,
        email: `signer-${index + 1}@outside.example`,
        step: index + 1,
      }));
      expect(await json('setSigners', { path: { id: instituteId }, body: { signers } })).toMatchObject({
        signers,
      });
      await call('listInstitutes', { path, ...ofSecond, expect: 404 });
      const { registrars } = await json('listRegistrars');
      expect(registrars.map(({ id }: Json) => id)).toContain(registrar);
    });

    test('with members', async () => {
      const member = (name: string, role: string) => ({
        name,
        email: `${randomUUID()}@outside.example`,
        role,
      });
      await call('inviteMember', { path, body: member('Olga Reis', 'Administrador') });
      const { id: memberId } = await json('inviteMember', { path, body: member('Ivo Reis', 'Reader') });
      const one = { ...path, memberId };
      await call('changeMember', { path: one, body: { name: 'Ivo Reis', role: 'Registrar' } });
      expect((await json('listMembers', { path })).items).toHaveLength(2);
      await call('removeMember', { path: one, expect: 204 });
    });

    test('with a webhook, which its institute uses', async () => {
      const webhook = {
        enabled: true,
        url: `${url}/sandbox/receiver/outside-credentials`,
        authType: 'Bearer',
        token: 'a-long-random-token',
      };
      await call('setSubscriptionIntegration', { path, body: webhook });
      expect((await call('getSubscriptionIntegration', { path })).text).not.toContain(webhook.token);
      const other = { path: { id: second?.university ?? '' }, ...ofSecond };
      await call('setSubscriptionIntegration', { ...other, body: webhook });
      const institute = { path: { id: instituteId } };
      const body = { enabled: true, shouldUseSubscriptionWebhookSettings: true };
      await call('setInstituteIntegration', { ...institute, body });
      expect(await json('getInstituteIntegration', institute)).toMatchObject(body);
    });
  });

  let degree: Json;

  test('issues a degree, which people sign, and suspends and restores it', async () => {
    degree = await json('createDegree', { body: { ...student(), academicTranscript: { type: 'Final' } } });
    const path = { id: degree.id };
    await call('getDegree', { path, ...ofSecond, expect: 404 });
    await signFiles('getDegree', path);
    await becomes('getDegree', path, 'Concluded');
    const xml = await call('getDegreeXml', { path: { ...path, name: 'diploma' }, query: { type: 'Signed' } });
    expect(xml.text).toContain('SignatureValue');

    const body = { reason: 'To be looked at' };
    await call('changeDegree', { path: { ...path, event: 'canceledTemporarily' }, body });
    const restored = await json('changeDegree', { path: { ...path, event: 'restored' }, body });
    expect(restored.status).toBe('Concluded');
    await call('resendDegree', { path, expect: 202 });
    const { entries } = await json('getHistory', { path: { items: 'degrees', id: degree.id } });
    expect(entries.length).toBeGreaterThan(3);
    const { items } = await json('listDegrees', {
      query: { status: 'Concluded', course: 'Engenharia Civil' },
    });
    expect(items.map(({ id }: Json) => id)).toContain(degree.id);
    const receiver = `${url}/sandbox/receiver/outside-credentials`;
    await expect.poll(async () => (await fetch(receiver)).text()).toContain('DegreeConcluded');
  });

  test('stamps a signed file again', async () => {
    const body = { documentType: 'Degree', documentId: degree.id, identifier: 'diploma' };
    const { id } = await json('createRestamp', { body });
    const path = { id };
    await becomes('getRestamp', path, 'Applied');
    expect((await call('getRestampToken', { path })).bytes[0]).toBe(0x30);
    expect((await json('listRestamps', { query: { status: 'Applied' } })).totalCount).toBeGreaterThan(0);
    const unsent = await json('resendRestamp', { path, expect: 422 });
    expect(unsent.code).toBe('WebhookNotConfigured');
    const refused = await json('changeRestamp', {
      path: { ...path, event: 'updated' },
      body: {},
      expect: 422,
    });
    expect(refused.code).toBe('InvalidStatus');
  });

  test('lists the annulled degrees, and hands a list over again that was refused', async () => {
    const annulment = { reason: 'Wrong course', cancellationReason: 'Erro de Fato' };
    await call('changeDegree', { path: { id: degree.id, event: 'canceled' }, body: annulment });
    const created = await json('createCancellationList', { path: { id: instituteId }, body: {} });
    expect(created.annulledDegreesNumber).toBeGreaterThan(0);
    const path = { id: instituteId, itemId: created.id };
    const file = async () => (await json('getCancellationList', { path })).files[0];
    await expect.poll(async () => (await file()).signerDocumentId).not.toBe(null);
    const before = (await file()).signerDocumentId;
    await platform.call('refuseDocument', {
      path: { id: before },
      body: { reason: 'A wrong name', identifier: SIGNERS[0] },
    });
    await expect.poll(async () => (await file()).problem).not.toBe(null);
    await call('handOverCancellationList', { path, expect: 202 });
    await expect.poll(async () => [null, before].includes((await file()).signerDocumentId)).toBe(false);
    await signFiles('getCancellationList', path);
    await becomes('getCancellationList', path, 'Signed');
    const xml = await call('getCancellationListXml', { path: { ...path, name: 'cancellation-list' } });
    expect(xml.text).toContain('ListaDiplomasAnulados');
    await call('resendCancellationList', { path, expect: 202 });
    expect((await json('listCancellationLists', { path: { id: instituteId } })).totalCount).toBeGreaterThan(
      0,
    );
  });

  test('issues here, and registers at another institution', async () => {
    const emission = await json('createEmission', { body: student('Direito') });
    const path = { id: emission.id };
    await signFiles('getEmission', path);
    await becomes('getEmission', path, 'Signed');
    const body = { registrarInstituteId: registrar, description: 'Graduation of March' };
    const sent = await json('changeEmission', { path: { ...path, event: 'sentToRegistry' }, body });
    const request = { id: sent.registrationId };
    for (const event of ['accepted', 'approved', 'registered'])
      await call('changeRegistration', { path: { ...request, event }, body: {}, ...ofSecond });
    await signFiles('getRegistration', request, ofSecond);
    await becomes('getRegistration', request, 'Signed', ofSecond);
    const { degreeId } = await becomes('getEmission', path, 'Registered');
    await becomes('getDegree', { id: degreeId }, 'Concluded');
    const xml = { path: { ...path, name: 'academic-documentation' } };
    expect((await call('getEmissionXml', xml)).text).toContain('SignatureValue');
    await call('getRegistrationXml', { path: { ...request, name: 'diploma' }, ...ofSecond });
    await call('resendEmission', { path, expect: 202 });
    await call('resendRegistration', { path: request, ...ofSecond, expect: 202 });
    expect((await json('listEmissions')).totalCount).toBeGreaterThan(0);
    expect((await json('listRegistrations', ofSecond)).totalCount).toBeGreaterThan(0);
  });

  test('takes a request of an issuer who is not here', async () => {
    const body = { ...student('Medicina'), issuingIes: 'Faculdade Exemplo', issuingIesCode: '4321' };
    const { id } = await json('createRegistration', { body });
    const rejected = { path: { id, event: 'rejected' }, body: { reason: 'Papers are missing' } };
    expect((await json('changeRegistration', rejected)).status).toBe('Rejected');
  });

  test('writes transcripts and curriculums, and cancels them', async () => {
    const transcript = await json('createTranscript', { body: { ...student('Letras'), type: 'Partial' } });
    const curriculum = await json('createCurriculum', {
      body: { code: 'LET-2026', course: 'Letras', instituteId },
    });
    await signFiles('getTranscript', { id: transcript.id });
    await signFiles('getCurriculum', { id: curriculum.id });
    await becomes('getTranscript', { id: transcript.id }, 'Concluded');
    await becomes('getCurriculum', { id: curriculum.id }, 'Concluded');
    for (const [kind, id, name] of [
      ['Transcript', transcript.id, 'transcript'],
      ['Curriculum', curriculum.id, 'curriculum'],
    ]) {
      expect((await call(`get${kind}Xml`, { path: { id, name } })).text).toContain('SignatureValue');
      await call(`resend${kind}`, { path: { id }, expect: 202 });
      expect((await json(`list${kind}s`, { query: { course: 'Letras' } })).totalCount).toBeGreaterThan(0);
      const canceled = { path: { id, event: 'canceled' }, body: { reason: 'Wrong grades' } };
      expect((await json(`change${kind}`, canceled)).status).toBe('Canceled');
    }
  });

  test('writes inspection files', async () => {
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    const body = { type: 'Issuer', startDate: day(-2), endDate: day(0) };
    const { id: itemId } = await json('createInspectionFile', { path: { id: instituteId }, body });
    const path = { id: instituteId, itemId };
    const files = async () => (await json('getInspectionFile', { path })).files;
    await expect.poll(async () => (await files()).length).toBe(1);
    await signFiles('getInspectionFile', path);
    await becomes('getInspectionFile', path, 'Signed');
    const xml = await call('getInspectionFileXml', { path: { ...path, name: 'inspection-file' } });
    expect(xml.text).toContain('ArquivoFiscalizacao');
    await call('resendInspectionFile', { path, expect: 202 });
    expect((await json('listInspectionFiles', { path: { id: instituteId } })).totalCount).toBeGreaterThan(0);
  });

  test('creates degrees in batches, in the request and past it', async () => {
    const lines = `${JSON.stringify(student('Química'))}\n${JSON.stringify({ studentName: 'No CPF' })}\n`;
    const bytes = Buffer.from(lines);
    const inRequest = await json('createDegreeBatch', {
      headers: { 'content-type': 'application/x-ndjson' },
      body: bytes,
      expect: 202,
    });
    const upload = await json('presignDegreeBatch', { body: { size: bytes.length } });
    const put = await fetch(upload.url, { method: upload.method, headers: upload.headers, body: bytes });
    expect(put.status).toBe(200);
    const past = await json('createDegreeBatch', { body: { uploadId: upload.uploadId }, expect: 202 });
    for (const { id } of [inRequest, past]) {
      const path = { id };
      expect(await becomes('getDegreeBatch', path, 'Finished')).toMatchObject({ created: 1, failed: 1 });
      expect((await json('listDegreeBatchErrors', { path })).items[0].line).toBe(2);
      expect((await json('listDegreeBatchLines', { path })).items[0].degreeId).toEqual(expect.any(String));
    }
    expect((await json('listDegreeBatches')).totalCount).toBeGreaterThan(1);
  });

  test('takes the events of the document platform', async () => {
    const body = { type: 'WebhookTest', data: {} };
    expect((await json('receiveSignerEvent', { body, expect: 202 })).outcome).toBe('ignored');
    await call('receiveSignerEvent', { body, key: null, expect: 401 });
  });

  test('was asked for every operation of its contract that a default start does', () => {
    expect(credentials.unplayed()).toEqual(REFUSED);
  });
});
