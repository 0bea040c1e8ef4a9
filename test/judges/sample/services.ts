import { sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Batch, Credentials, Documents, Pki, Session } from '@sinete/client';
import { signAs } from '../../../examples/sandbox/sign-as.ts';
import { waitUntil } from '../../../examples/sandbox/wait-until.ts';
import { SANDBOX_CONTEXT, SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { openPkcs12 } from '../../../shared/pki/pkcs12/open.ts';
import type { SharedEngine } from '../../servers/shared-engine.ts';
import { CONTENT } from './cades.ts';
import { named, type SampleFile } from './sample.ts';

const CPFS = ['52998224725', '47363361886'] as const;
const INSTITUTE = '66666666-6666-4666-8666-666666666666';
const PDF = readFileSync('examples/two-signers/contract.pdf');
const XML = Buffer.from('<lote xmlns="urn:x"><nota Id="a"><valor>10</valor></nota></lote>');
/** What the services of a running engine sign. */
export async function serviceFiles(engine: SharedEngine): Promise<SampleFile[]> {
  const files = await Promise.all(
    [bySession, byBatch, byTwo, bySeal, byInstitute, byCore].map((one) => one(engine)),
  );
  return files.flat();
}

const at = ({ url }: SharedEngine, service: string) => ({ url: `${url}/${service}`, key: SANDBOX_KEY });
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());
const file = (name: string, bytes: Buffer): SampleFile => ({ name: `service-${name}`, bytes });

async function bySession(engine: SharedEngine): Promise<SampleFile[]> {
  const session = new Session(at(engine, 'session'));
  const body = { cpf: CPFS[0], pin: '1234', sessionDuration: 900 };
  const { sessionId } = await session.createSession({ body });
  const { signatureId } = await session.signDocument({
    body: { sessionId, document: PDF.toString('base64') },
  });
  const signed = await waitUntil(
    () => session.getDocument({ signatureId }),
    ({ status }) => status === 200,
  );
  return [file('session.pdf', await bytesOf(signed))];
}

async function byBatch(engine: SharedEngine): Promise<SampleFile[]> {
  const batch = new Batch(at(engine, 'batch'));
  const inputs = { 'batch.pdf': PDF, 'batch.xml': XML, 'batch.rem': CONTENT };
  return Promise.all(
    Object.entries(inputs).map(async ([name, bytes]) => {
      const id = await batch.upload(new Blob([bytes]), { name: `${Date.now()}-${name}` });
      const { status } = await waitUntil(
        () => batch.getJob({ id }),
        (job) => ['Completed', 'Failed', 'Canceled'].includes(job.status),
      );
      if (status !== 'Completed') throw new Error(`${name}: ${status}`);
      const signed = await bytesOf(await batch.getJobOutput({ id }));
      return file(name.replace('.rem', '.p7m'), signed);
    }),
  );
}

type Flow = Extract<Parameters<Documents['createDocuments']>[0]['body'], { files: unknown }>['flowActions'];

/** A document that these people are asked for. */
async function asked(documents: Documents, flowActions: Flow): Promise<string> {
  const upload = await documents.upload(new Blob([PDF], { type: 'application/pdf' }), {
    name: 'contract.pdf',
  });
  const body = { files: [{ id: upload, displayName: 'Contract' }], flowActions };
  const [created] = await documents.createDocuments({ body });
  return created?.documentId ?? '';
}

async function concluded(documents: Documents, id: string): Promise<Buffer> {
  await waitUntil(
    () => documents.getDocument({ id }),
    ({ isConcluded }) => isConcluded,
  );
  return bytesOf(await documents.getContent({ id, type: 'Signatures' }));
}

async function byTwo(engine: SharedEngine): Promise<SampleFile[]> {
  const documents = new Documents(at(engine, 'documents'));
  const flow: Flow = CPFS.map((identifier) => ({
    type: 'Signer',
    step: 1,
    user: { name: 'Holder', identifier },
  }));
  const id = await asked(documents, flow);
  for (const cpf of CPFS) await signAs(documents, id, cpf, engine.dataDir);
  return [file('two-signers.pdf', await concluded(documents, id))];
}

/** An electronic signature without a certificate, which the organization's seal stands for. */
async function bySeal(engine: SharedEngine): Promise<SampleFile[]> {
  const documents = new Documents(at(engine, 'documents'));
  const [identifier] = CPFS;
  const user = { name: 'Holder', identifier, email: 'ana@sandbox.example' };
  const id = await asked(documents, [{ type: 'Signer', step: 1, allowElectronicSignature: true, user }]);
  await documents.signElectronically({ id, body: { identifier } });
  return [file('sealed.pdf', await concluded(documents, id))];
}

async function byInstitute(engine: SharedEngine): Promise<SampleFile[]> {
  const credentials = new Credentials(at(engine, 'credentials'));
  const documents = new Documents(at(engine, 'documents'));
  const body = {
    studentName: 'Maria da Silva',
    studentSocialName: null,
    studentCpf: CPFS[0],
    course: 'Engenharia Civil',
    instituteId: INSTITUTE,
    version: '1.05',
  };
  const { id } = await credentials.createDegree({ body });
  const read = () => credentials.getDegree({ id });
  const { files } = await waitUntil(
    read,
    (degree) => degree.files.length > 0 && degree.files.every((one) => one.signerDocumentId !== null),
  );
  for (const { signerDocumentId } of files)
    for (const cpf of CPFS) await signAs(documents, signerDocumentId ?? '', cpf, engine.dataDir);
  const degree = await waitUntil(read, ({ status }) => status !== 'Created');
  return Promise.all(
    degree.files.map(async ({ name }) =>
      file(named('degree', name, 'xml'), await bytesOf(await credentials.getDegreeXml({ id, name }))),
    ),
  );
}

async function byCore(engine: SharedEngine): Promise<SampleFile[]> {
  const pki = new Pki(at(engine, 'pki'));
  const p12 = readFileSync(join(engine.dataDir, 'pki/holders', `${CPFS[0]}.p12`));
  const [holder] = (await openPkcs12(p12, '1234')).entries;
  if (!holder) throw new Error('The holder has no key.');
  const certificate = { content: holder.certificate.der.toString('base64') };
  const inputs = [
    ['core.pdf', PDF],
    ['core.p7m', CONTENT],
    ['core.xml', XML],
  ] as const;
  return Promise.all(
    inputs.map(async ([name, bytes]) => {
      const { state, toSign } = await pki.prepareSignature({
        body: {
          file: { name, content: bytes.toString('base64') },
          certificate,
          securityContextId: SANDBOX_CONTEXT,
        },
      });
      const data = Buffer.from(toSign?.data ?? '', 'base64');
      const signature = sign('sha256', data, holder.privateKey).toString('base64');
      const { signedFile } = await pki.finishSignature({ body: { state: state ?? '', signature } });
      return file(name, await bytesOf(await fetch(signedFile.location ?? '')));
    }),
  );
}
