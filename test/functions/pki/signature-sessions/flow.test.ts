import { describe, expect, test } from 'vitest';
import { forgetSession } from '../../../../functions/pki/signature-sessions/domain/forget-session.ts';
import {
  sessionFolder,
  signatureSessions,
} from '../../../../functions/pki/signature-sessions/domain/session.ts';
import { files } from '../../../../shared/files/files.ts';
import { createJudge } from '../../../../shared/pki/verdict/verdict.ts';
import { verifyCades } from '../../../../shared/signing/cades/verify.ts';
import { verifyPdf } from '../../../../shared/signing/pades/verify/verify-pdf.ts';
import { verifyXades } from '../../../../shared/signing/xades/verify/verify.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { authenticationStage } from '../authentication/stage.ts';
import {
  aSession,
  ask,
  BY_KEY,
  byToken,
  inline,
  isQueued,
  makeFilesOf,
  OPERATIONS,
  paramsOf,
  type Session,
  signatureOver,
  signing,
  starting,
  statusOf,
} from './stage.ts';

const stage = await forFile(authenticationStage());

const XML = '<?xml version="1.0"?><nota xmlns="urn:x"><valor>10</valor></nota>';
const HELD = { judge: createJudge({ anchors: [], revocation: 'skip' }), atMs: 0 };

const contentOf = (session: Session, index: number, query: Record<string, string> = {}) =>
  call(OPERATIONS.content, { params: paramsOf(session, index), query, headers: BY_KEY });

describe('a signature session', () => {
  test('makes a PDF a PAdES, XML a XAdES and anything else a CAdES, all whole, once every one is signed', async () => {
    const pdf = await plainPdf('table');
    const session = await aSession([
      inline(pdf, 'contract.pdf'),
      inline(XML, 'nota.xml', 'application/xml'),
      inline('plain', 'note.txt'),
    ]);
    expect(session.documents.map(({ signatureFormat }) => signatureFormat)).toEqual([
      'PAdES',
      'XAdES',
      'CAdES',
    ]);
    const signer = stage.holder();
    expect((await signing(session, signer, 0)).status).toBe('Pending');
    expect((await signing(session, signer, 1)).status).toBe('Pending');
    expect(await signing(session, signer, 2)).toMatchObject({
      http: 200,
      success: true,
      failure: null,
      status: 'Processing',
      certificate: { pkiBrazil: { cpf: '52998224725' } },
    });

    expect(await isQueued(session)).toBe(true);
    await makeFilesOf(session);
    await makeFilesOf(session);
    const ended = await ask('awaitEnd', BY_KEY, { params: { sessionId: session.sessionId } });
    expect(ended).toMatchObject({ http: 200, status: 'Completed', failure: null });
    const [one, two, three] = await Promise.all([0, 1, 2].map((index) => contentOf(session, index)));
    const signedPdf = await verifyPdf(one?.bytes ?? Buffer.alloc(0), HELD);
    expect(signedPdf.signatures.map(({ intact, unmodified }) => intact && unmodified)).toEqual([true]);
    const signedXml = await verifyXades(two?.bytes ?? Buffer.alloc(0), HELD);
    expect(signedXml.signatures.map(({ intact }) => intact)).toEqual([true]);
    const cms = await verifyCades(three?.bytes ?? Buffer.alloc(0), {
      ...HELD,
      content: Buffer.from('plain'),
    });
    expect(cms.signers.map(({ intact }) => intact)).toEqual([true]);
    expect(three?.headers['content-disposition']).toContain('note.txt.p7m');
    expect((await contentOf(session, 2, { type: 'Original' })).text).toBe('plain');
  });

  test('signs one element of XML, with the signature where the document says', async () => {
    const xml = '<lote xmlns="urn:x"><nota Id="a"><valor>10</valor></nota><fim/></lote>';
    const signatureElementLocation = {
      ...{ xPath: '/n:lote/n:fim', namespaces: [{ prefix: 'n', uri: 'urn:x' }] },
      insertionOption: 'PrependSibling',
    };
    const xmlSignatureOptions = { elementToSignId: 'a', signatureElementLocation };
    const session = await aSession([{ ...inline(xml, 'lote.xml'), xmlSignatureOptions }]);
    await signing(session, stage.holder());
    await makeFilesOf(session);
    const { bytes } = await contentOf(session, 0);
    expect(bytes.toString()).toMatch(/<\/nota><ds:Signature.*<\/ds:Signature><fim\/>/s);
    const { signatures } = await verifyXades(bytes, HELD);
    expect(signatures).toMatchObject([{ intact: true, covers: [{ kind: 'element', path: '/lote/nota' }] }]);
  });

  test('adds nothing of a form that turns out broken behind its file', async () => {
    const { sessionId } = await aSession([]);
    const file = 'Content-Disposition: form-data; name="file"; filename="one.txt"';
    const whole = ['--b', file, '', 'a'.repeat(300_000), ''].join('\r\n');
    const headers = { ...BY_KEY, 'Content-Type': 'multipart/form-data; boundary=b' };
    for (const rest of [`--b\r\n${file}\r\n\r\nsecond\r\n--b--\r\n`, '--b\r\nContent-Disp']) {
      const { status } = await call(OPERATIONS.add, { params: { sessionId }, headers, body: whole + rest });
      expect(status).toBe(400);
    }
    expect(await ask('read', BY_KEY, { params: { sessionId } })).toMatchObject({ documents: [] });
  });

  test('takes documents one by one, as JSON and as a form, until somebody signs', async () => {
    const session = await aSession([]);
    const { sessionId } = session;
    const json = await ask('add', BY_KEY, { params: { sessionId }, json: inline('one', 'one.txt') });
    const body = [
      '--b',
      'Content-Disposition: form-data; name="file"; filename="two.txt"',
      'Content-Type: text/plain',
      '',
      'two',
      '--b--',
      '',
    ].join('\r\n');
    const headers = { ...BY_KEY, 'Content-Type': 'multipart/form-data; boundary=b' };
    const form = await call(OPERATIONS.add, { params: { sessionId }, headers, body });
    const documents = [json, form.json()] as unknown as Session['documents'];
    expect(documents).toMatchObject([
      { name: 'one.txt', size: 3 },
      { name: 'two.txt', contentType: 'text/plain' },
    ]);
    const whole = { ...session, documents };
    await signing(whole, stage.holder());
    expect(await ask('add', BY_KEY, { params: { sessionId }, json: inline('late') })).toMatchObject({
      http: 422,
      code: 'BadSignatureSessionOperation',
    });
  });

  test('is signed with one certificate, of an EC key too', async () => {
    const session = await aSession([inline('one'), inline('two')]);
    const signer = stage.holderWith('p256');
    await signing(session, signer, 0);
    expect(await starting(session, stage.holder(), 1)).toMatchObject({
      http: 422,
      code: 'CertificateMismatch',
    });
    expect((await signing(session, signer, 1)).status).toBe('Processing');
    await makeFilesOf(session);
    expect(await statusOf(session)).toBe('Completed');
  });

  test('goes on once when its last two signatures come at the same moment, and each is taken once', async () => {
    const session = await aSession([inline('one'), inline('two')]);
    const signer = stage.holder();
    const given = await Promise.all(
      [0, 0, 1, 1].map(async (index) => ({ index, started: await starting(session, signer, index) })),
    );
    const answers = await Promise.all(
      given.map(({ index, started }) =>
        ask('complete', byToken(session), {
          params: paramsOf(session, index),
          json: { state: started.state, signature: signatureOver(started, signer) },
        }),
      ),
    );
    expect(answers.filter(({ success }) => success)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 'Processing')).toHaveLength(1);
    const refused = answers.filter(({ http }) => http === 422).map(({ code }) => code);
    expect(refused).toHaveLength(2);
    for (const code of refused)
      expect(['BadSignatureSessionOperation', 'BackgroundProcessing']).toContain(code);
  });

  test('is cancelled by its person, and then signs nothing', async () => {
    const session = await aSession([inline('one'), inline('two')]);
    await signing(session, stage.holder());
    const params = { sessionId: session.sessionId };
    expect(await ask('cancel', byToken(session), { params })).toMatchObject({ status: 'UserCancelled' });
    expect(await starting(session, stage.holder(), 1)).toMatchObject({
      code: 'BadSignatureSessionOperation',
    });
    expect(await ask('awaitEnd', BY_KEY, { params })).toMatchObject({ http: 200, status: 'UserCancelled' });
    expect((await contentOf(session, 0, { type: 'Signed' })).json()).toMatchObject({
      code: 'BadSignatureSessionOperation',
    });
  });

  test('tells that its files could not be made, after the last try', async () => {
    const session = await aSession();
    await signing(session, stage.holder());
    const kept = await signatureSessions.get(session.sessionId);
    await files('pki').remove(kept?.documents[0]?.original.key ?? '');
    expect((await makeFilesOf(session)).batchItemFailures).toHaveLength(1);
    expect(await statusOf(session)).toBe('Processing');
    await makeFilesOf(session, 5);
    expect(await ask('read', BY_KEY, { params: { sessionId: session.sessionId } })).toMatchObject({
      status: 'ProcessingError',
      failure: 'FileGone',
    });
  });

  test('is forgotten with all its files', async () => {
    const session = await aSession([inline('one'), inline('two')]);
    await forgetSession(session.sessionId);
    await forgetSession(session.sessionId);
    expect((await files('pki').list(sessionFolder(session.sessionId))).files).toEqual([]);
    expect(await ask('read', BY_KEY, { params: { sessionId: session.sessionId } })).toMatchObject({
      code: 'SignatureSessionNotFound',
    });
  });
});
