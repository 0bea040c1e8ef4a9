import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { handler as allocate } from '../../../../functions/pki/documents/endpoints/allocate-document-key.ts';
import { handler as getDocument } from '../../../../functions/pki/documents/endpoints/get-document.ts';
import { handler as uploadPlain } from '../../../../functions/pki/files/endpoints/upload-plain.ts';
import { forgetSession } from '../../../../functions/pki/signature-sessions/domain/forget-session.ts';
import { signatureSessions } from '../../../../functions/pki/signature-sessions/domain/session.ts';
import { createJudge } from '../../../../shared/pki/verdict/verdict.ts';
import { verifyCades } from '../../../../shared/signing/cades/verify.ts';
import { killedAt } from '../../../faults/crash.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { startServer } from '../../../shared/net/a-server.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { ask as askCore, authenticationStage } from '../authentication/stage.ts';
import {
  aSession,
  ask,
  BY_KEY,
  bring,
  byToken,
  inline,
  makeFilesOf,
  OPERATIONS,
  paramsOf,
  type Session,
  signatureOver,
  signing,
  starting,
} from './stage.ts';

const stage = await forFile(authenticationStage());
const server = await forFile(startServer((_, response) => void response.end('from an address')));
afterEach(() => vi.useRealTimers());

// The types of a Java client, as strict as its JSON reader.
const Text = z.string().nullable();
const Moment = z.iso.datetime({ offset: true }).nullable();
const File = z.object({
  ...{ name: z.string(), mimeType: z.string(), length: z.int() },
  url: Text,
  location: Text,
});
const Summary = z.object({
  id: z.guid(),
  key: z.string().regex(/^[A-Z\d]{16}$/),
  formattedKey: z.string().regex(/^([A-Z\d]{4}-){3}[A-Z\d]{4}$/),
  ...{ originalFile: File, markedFile: File.nullable(), signedFile: File.nullable() },
  signatureType: z.enum(['Pdf', 'Cms', 'Xml']),
  availableUntil: Moment,
  status: z.enum(['PendingSignature', 'Processing', 'Completed', 'ProcessingError']),
  dateSigned: Moment,
});
const ClientSession = z.object({
  id: z.guid(),
  status: z.enum(['Pending', 'Processing', 'Completed', 'UserCancelled', 'Expired', 'ProcessingError']),
  ...{ processingErrorCode: Text, callbackArgument: Text },
  signerCertificate: z
    .object({ serialNumber: z.string().regex(/^\d+$/), subjectIdentifier: Text })
    .nullable(),
  documents: z.array(Summary),
});

const read = async ({ sessionId }: Session, headers: Record<string, string> = BY_KEY) =>
  ClientSession.parse(await ask('read', headers, { params: { sessionId } }));

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64');
const create = (json: object) => ask('create', BY_KEY, { json });

async function uploaded(bytes: Uint8Array | string): Promise<string> {
  const answer = await call(uploadPlain, { headers: BY_KEY, body: Buffer.from(bytes) });
  return (answer.json() as { blobToken: string }).blobToken;
}

describe('a session in the shape of clients', () => {
  test('takes files inside the request, uploaded and at an address, and answers what a typed client reads', async () => {
    const pdf = await plainPdf('table');
    const session = await aSession(
      [
        { file: { content: base64(pdf), mimeType: 'application/pdf', name: 'contract.pdf' } },
        { file: { blobToken: await uploaded('<a/>'), length: 4 }, signatureType: 'Cms' },
        { file: { url: `${server.url}/file`, name: 'note.txt' }, cmsSignatureOptions: { detached: true } },
      ],
      { callbackArgument: 'order 1', returnUrl: null },
    );
    const before = await read(session);
    // As clients of the earlier generation send their key.
    const Authorization = `Bearer ${BY_KEY['X-API-Key']}`;
    expect((await read(session, { Authorization })).id).toBe(before.id);
    const wrong = { Authorization: `${Authorization}x` };
    const params = { sessionId: session.sessionId };
    expect(await ask('read', wrong, { params })).toMatchObject({ http: 401 });
    // A proxy in front of the signer's browser adds its own.
    expect(await ask('read', { ...byToken(session), ...wrong }, { params })).toMatchObject({ http: 200 });
    const badKey = { ...byToken(session), 'X-API-Key': `${BY_KEY['X-API-Key']}x` };
    expect(await ask('read', badKey, { params })).toMatchObject({ http: 401 });
    expect(before).toMatchObject({
      id: session.sessionId,
      callbackArgument: 'order 1',
      signerCertificate: null,
    });
    expect(before.documents.map(({ status, signatureType }) => [status, signatureType])).toEqual([
      ['PendingSignature', 'Pdf'],
      ['PendingSignature', 'Cms'],
      ['PendingSignature', 'Cms'],
    ]);
    expect(before.documents.map(({ originalFile }) => originalFile.name)).toEqual([
      ...['contract.pdf', 'document', 'note.txt'],
    ]);
    expect(await ask('progress', BY_KEY, { params })).toMatchObject({ code: 'BadSignatureSessionOperation' });
    const signer = stage.holder();
    await signing(session, signer, 0);
    expect((await read(session)).documents.map(({ status }) => status)).toEqual([
      ...['Processing', 'PendingSignature', 'PendingSignature'],
    ]);
    await signing(session, signer, 1);
    await signing(session, signer, 2);
    vi.stubEnv('SignatureSessions__CompletionWait', '0');
    expect(await ask('progress', BY_KEY, { params })).toMatchObject({
      http: 200,
      completed: false,
      progress: 0,
    });
    await makeFilesOf(session);
    expect(await ask('progress', BY_KEY, { params })).toEqual({ http: 200, completed: true, progress: 100 });

    const after = await read(session);
    expect(after).toMatchObject({
      status: 'Completed',
      signerCertificate: { subjectIdentifier: '52998224725' },
    });
    expect(after.documents.map(({ signedFile }) => signedFile?.name)).toEqual([
      ...['contract.pdf', 'document.p7m', 'note.txt.p7s'],
    ]);
    expect(after.documents.map(({ key }) => key)).toEqual(before.documents.map(({ key }) => key));
    const apart = await call(OPERATIONS.content, { params: paramsOf(session, 2), headers: BY_KEY });
    const { signers } = await verifyCades(apart.bytes, {
      ...{ judge: createJudge({ anchors: [], revocation: 'skip' }), atMs: 0 },
      content: Buffer.from('from an address'),
    });
    expect(signers.map(({ intact }) => intact)).toEqual([true]);
    expect(apart.bytes.includes('from an address')).toBe(false);
  });

  test('gives its documents their keys and metadata, and they outlive it', async () => {
    const key = (await askCore(allocate, {
      provisionalMetadata: { Kind: ['a'], Left: ['b'] },
    })) as unknown as {
      formattedKey: string;
    };
    const document = {
      file: { content: base64('one') },
      documentKey: key.formattedKey,
      metadata: { Kind: ['c'] },
    };
    const documentMetadata = { Order: ['1'], Kind: ['d'] };
    const session = await aSession([document, inline('two')], { documentMetadata });
    expect(await create({ documents: [document, document] })).toMatchObject({ code: 'EntityAlreadyExists' });
    for (const at of [0, 1]) await signing(session, stage.holder(), at);
    await makeFilesOf(session);
    const { documents } = await read(session);
    await forgetSession(session.sessionId);
    const kept = (at: number) =>
      askCore(getDocument, undefined, { method: 'GET', params: { id: documents[at]?.id ?? '' } });
    expect(await kept(0)).toMatchObject({
      formattedKey: key.formattedKey,
      metadata: { Kind: ['c'], Left: ['b'], Order: ['1'] },
      availableUntil: documents[0]?.availableUntil,
    });
    expect(await kept(1)).toMatchObject({ key: documents[1]?.key, metadata: documentMetadata });
  });

  test('fails by name when its document key was used elsewhere meanwhile, and makes no document', async () => {
    const { formattedKey: documentKey } = (await askCore(allocate)) as unknown as { formattedKey: string };
    const [first, second] = [
      await aSession([{ file: { content: base64('one') }, documentKey }]),
      await aSession([inline('two'), { file: { content: base64('one') }, documentKey }]),
    ];
    await signing(first, stage.holder());
    for (const at of [0, 1]) await signing(second, stage.holder(), at);
    await makeFilesOf(first);
    await makeFilesOf(second);
    await makeFilesOf(second, 5);
    const failed = await read(second);
    expect(failed).toMatchObject({ status: 'ProcessingError', processingErrorCode: 'EntityAlreadyExists' });
    expect(failed.documents.map(({ status }) => status)).toEqual(['ProcessingError', 'ProcessingError']);
    const params = { id: failed.documents[0]?.id ?? '' };
    expect(await askCore(getDocument, undefined, { method: 'GET', params })).toMatchObject({
      code: 'DocumentNotFound',
    });
  });

  // The person's last signature, and the making of the file, each cut off at every write.
  test.each(['before', 'after'] as const)(
    'makes one document under its key where it is killed just %s any write',
    async (moment) => {
      for (let write = 1, wasKilled = true; wasKilled; write++) {
        const { formattedKey } = (await askCore(allocate)) as unknown as { formattedKey: string };
        const document = { file: { content: base64('one') }, documentKey: formattedKey };
        const session = await aSession([document]);
        const started = await starting(session, stage.holder());
        const json = { state: started.state, signature: signatureOver(started, stage.holder()) };
        const complete = () => ask('complete', byToken(session), { params: paramsOf(session), json });
        wasKilled = await killedAt(write, moment, async () => {
          await complete();
          await makeFilesOf(session);
        });
        await complete();
        await makeFilesOf(session);
        const [made] = (await read(session)).documents;
        expect(made).toMatchObject({ status: 'Completed', formattedKey });
        const params = { id: made?.id ?? '' };
        expect(await askCore(getDocument, undefined, { method: 'GET', params })).toMatchObject({
          formattedKey,
        });
        expect(await create({ documents: [document] })).toMatchObject({ code: 'EntityAlreadyExists' });
      }
    },
  );

  test('keeps the text and the metadata of the application from the person', async () => {
    const session = await aSession([inline('one')], {
      callbackArgument: 'x',
      documentMetadata: { A: ['b'] },
    });
    const params = { sessionId: session.sessionId };
    expect(await ask('read', byToken(session), { params })).toMatchObject({
      callbackArgument: null,
      documents: [{ metadata: {} }],
    });
    expect(await ask('read', BY_KEY, { params })).toMatchObject({ documents: [{ metadata: { A: ['b'] } }] });
  });

  test('gives the person no file to keep where downloads are disabled', async () => {
    const session = await aSession([inline('one')], { disableDownloads: true });
    await signing(session, stage.holder());
    await makeFilesOf(session);
    const linked = async (headers: Record<string, string>) =>
      (await read(session, headers)).documents.flatMap(({ originalFile, signedFile }) => [
        ...[originalFile.url, signedFile?.url].filter(Boolean),
      ]).length;
    expect(await linked(byToken(session))).toBe(0);
    expect(await linked(BY_KEY)).toBe(2);
    const get = (headers: Record<string, string>, type: string) =>
      call(OPERATIONS.content, { params: paramsOf(session), headers, query: { type } });
    expect((await get(byToken(session), 'Original')).text).toBe('one');
    expect((await get(byToken(session), 'Signed')).json()).toMatchObject({
      code: 'BadSignatureSessionOperation',
    });
    expect((await get(BY_KEY, 'Signed')).status).toBe(200);
  });
});

describe('the certificate of a session', () => {
  const DEVICE = { type: 'CryptoDevice' };
  const PERSON = { type: 'Cpf', argument: '529.982.247-25' };
  const inDevice = stage.holderWith('rsa2048', { policy: '2.16.76.1.2.3.55' });
  const COMPANY = '11222333000181';

  test.each([
    ['of another CPF', [{ type: 'Cpf', argument: '47363361886' }], stage.holder(), 'Cpf'],
    ['of a company for which the person answers', [PERSON], stage.holder(COMPANY), 'Cpf'],
    ['of type A1 where a device is required', [PERSON, DEVICE], stage.holder(), 'CryptoDevice'],
    ['of a device but another CPF', [DEVICE, { type: 'Cpf', argument: '47363361886' }], inDevice, 'Cpf'],
  ])('is refused at both steps where it is %s', async (_, certificateRequirements, signer, requirement) => {
    const refused = { http: 422, code: 'CertificateRequirementNotMet', details: { requirement } };
    const session = await aSession([inline('one')], { certificateRequirements });
    expect(await starting(session, signer)).toMatchObject(refused);

    // The second step looks for itself: here the session required nothing when the signature was started.
    const free = await aSession();
    const started = await starting(free, signer);
    const { signerCpf, requiresDevice } = (await signatureSessions.get(session.sessionId)) ?? expect.fail();
    const stored = (await signatureSessions.get(free.sessionId)) ?? expect.fail();
    await signatureSessions.change(stored, { signerCpf, requiresDevice });
    const json = { state: started.state, signature: signatureOver(started, signer) };
    expect(await ask('complete', byToken(free), { params: paramsOf(free), json })).toMatchObject(refused);
    expect((await read(free)).documents).toMatchObject([{ status: 'PendingSignature' }]);
  });

  test('signs where it meets every requirement', async () => {
    const session = await aSession([inline('one')], { certificateRequirements: [DEVICE, PERSON] });
    expect(await signing(session, inDevice)).toMatchObject({ success: true, status: 'Processing' });
  });
});

describe('files that the person brings', () => {
  test('are signed in a session without documents and without return address', async () => {
    const session = await aSession([], { returnUrl: undefined });
    const large = Buffer.alloc(5_000_000, 'x');
    await bring(session, large, 'a.txt', 'text/plain');
    await bring(session, Buffer.from('wrong'), 'b.txt');
    const brought = (await bring(session, Buffer.from('%PDF-1.7'), 'c.pdf')) as unknown as Session;
    expect(brought).toMatchObject({
      http: 200,
      returnUrl: null,
      takesFiles: true,
      documents: [{ size: 5e6 }, {}, {}],
    });
    const removed = await ask('removeOwn', byToken(session), {
      params: paramsOf({ ...session, ...brought }, 2),
    });
    expect(removed).toMatchObject({ documents: [{ name: 'a.txt' }, { name: 'b.txt' }] });
    const whole = { ...session, documents: removed.documents as Session['documents'] };
    await signing(whole, stage.holder());
    expect(await bring(session, Buffer.from('late'), 'd.txt')).toMatchObject({
      code: 'BadSignatureSessionOperation',
    });
    expect(await ask('removeOwn', byToken(session), { params: paramsOf(whole, 1) })).toMatchObject({
      code: 'BadSignatureSessionOperation',
    });
    expect((await signing(whole, stage.holder(), 1)).status).toBe('Processing');
    await makeFilesOf(session);
    expect((await read(session)).status).toBe('Completed');
  });

  test('are not taken beside documents of the application', async () => {
    const session = await aSession([]);
    await bring(session, Buffer.from('own'), 'own.txt');
    const params = { sessionId: session.sessionId };
    for (const text of ['given', 'second'])
      expect(await ask('add', BY_KEY, { params, json: inline(text) })).toMatchObject({ http: 200 });
    const { documents } = (await signatureSessions.get(session.sessionId)) ?? expect.fail();
    expect(documents.map(({ original }) => original.size)).toEqual([5, 6]);
    for (const each of [session, await aSession([inline('given')])])
      expect(await bring(each, Buffer.from('own'), 'own.txt')).toMatchObject({
        http: 422,
        code: 'BadSignatureSessionOperation',
      });
  });

  test('are uploads of this application alone', async () => {
    const [one, other] = [await aSession([]), await aSession([])];
    const json = { name: 'x', contentType: '', token: await uploaded('secret'), partETags: ['x'] };
    // The application's own token names a file that the application gave: its person may have it.
    expect((await ask('addOwn', byToken(one), { params: { sessionId: one.sessionId }, json })).http).toBe(
      200,
    );
    const stored = (await signatureSessions.get(other.sessionId)) ?? expect.fail();
    await signatureSessions.change(stored, { application: `other-${randomUUID()}` });
    expect(
      await ask('addOwn', byToken(other), { params: { sessionId: other.sessionId }, json }),
    ).toMatchObject({
      code: 'InvalidToken',
    });
  });
});

describe('every optional field', () => {
  const FILE = { content: base64('one') };
  const FIELDS = {
    returnUrl: { defaults: [''], wrong: [1, 'http://localhost:9999/other'] },
    securityContextId: { defaults: [''], wrong: ['x', 1] },
    ignoreRevocationStatusUnknown: { defaults: [false], wrong: ['no'] },
    callbackArgument: { defaults: [''], wrong: [1, 'x'.repeat(2_049)] },
    enableBackgroundProcessing: { defaults: [false], wrong: ['no'] },
    disableDownloads: { defaults: [false], wrong: ['no'] },
    documentMetadata: {
      defaults: [{}],
      wrong: [{ a: 'b' }, { 'a/b': ['c'] }, { a: ['x'.repeat(501)] }, { ['a'.repeat(51)]: ['b'] }],
    },
    certificateRequirements: {
      defaults: [[]],
      wrong: [
        [{ type: 'Cpf' }],
        [{ type: 'Cpf', argument: '1' }],
        [{ type: 'CryptoDevice', argument: 'x' }],
        [{ type: 'Cnpj', argument: '11222333000181' }],
        [
          { type: 'Cpf', argument: '52998224725' },
          { type: 'Cpf', argument: '47363361886' },
        ],
      ],
    },
    pdfSignatureOptions: {
      defaults: [{}, { measurementUnits: 'Centimeters', visualRepresentation: null }],
      wrong: [1, { convertToPdfA: true }],
    },
    cmsSignatureOptions: {
      defaults: [{}, { detached: false, dataFile: null, dataHashes: [] }],
      wrong: [{ detached: 'no' }, { dataFile: FILE }],
    },
    documents: {
      defaults: [[]],
      wrong: [{}, [{}], [{ name: 'x' }], [{ ...FILE }], [{ file: FILE, ...inline('x') }]],
    },
  };
  const OF_DOCUMENT = {
    id: { defaults: [''], wrong: [randomUUID()] },
    metadata: { defaults: [{}], wrong: [{ a: 'b' }] },
    documentKey: { defaults: [''], wrong: ['ABCD-EFGH-JKLM-NPQR', 1] },
    signatureType: { defaults: [], wrong: ['Pdf', 'Xml', 'None'] },
    pdfSignatureOptions: FIELDS.pdfSignatureOptions,
    cmsSignatureOptions: FIELDS.cmsSignatureOptions,
    xmlSignatureOptions: {
      defaults: [{}, { type: 'FullXml', elementToSignId: '', signatureElementLocation: null }],
      wrong: [{ type: 'XmlElement' }, { elementToSignId: 'a' }, { type: 'OnlineResource' }],
    },
    name: { defaults: [], wrong: [' ', 1] },
    contentType: { defaults: [], wrong: ['text'] },
  };

  const taken = async (fields: object) =>
    expect([fields, (await create(fields)).http]).toEqual([fields, 200]);
  const refused = async (fields: object) => {
    const { http, code } = await create(fields);
    expect([fields, [400, 422].includes(http), typeof code]).toEqual([fields, true, 'string']);
  };

  test.each(Object.entries(FIELDS))(
    '%s is taken absent, null and at its default, and refused wrong',
    async (field, values) => {
      await taken({});
      for (const value of [null, ...values.defaults]) await taken({ [field]: value });
      for (const value of values.wrong) await refused({ [field]: value });
    },
  );

  test.each(Object.entries(OF_DOCUMENT))('%s of a document is the same', async (field, values) => {
    const documents = (value: unknown) => ({ documents: [{ file: FILE, [field]: value }] });
    for (const value of [null, ...values.defaults]) await taken(documents(value));
    for (const value of values.wrong) await refused(documents(value));
  });

  test('and options of XML that do not fit into a session are refused', async () => {
    const namespaces = Array.from({ length: 50 }, (_, at) => ({ prefix: `p${at}`, uri: 'x'.repeat(1_000) }));
    const xmlSignatureOptions = { signatureElementLocation: { xPath: '/a', namespaces } };
    const document = { file: { content: base64('<a/>') }, xmlSignatureOptions };
    expect((await create({ documents: [document] })).http).toBe(200);
    const { http, detail } = await create({ documents: [document, document] });
    expect([http, detail]).toEqual([400, expect.stringContaining('xmlSignatureOptions of the documents')]);
  });

  test('and metadata that does not fit into a session is refused', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`name ${at}`, ['x'.repeat(500)]]),
    );
    const documents = [1, 2, 3].map(() => ({ file: FILE, metadata }));
    expect(await create({ documents })).toMatchObject({ http: 400 });
    await taken({ documents: documents.slice(1) });
  });
});
