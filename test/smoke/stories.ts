// What a service does over several calls, its queues, schedules and links included.
import { setTimeout as pause } from 'node:timers/promises';
import { pdf } from '../outside/support/files.ts';
import type { Host } from './answer.ts';

type Vault = { readonly cpf: string; readonly pin: string };

/** Of the sandbox: the key of the first is in the vault, that of the second at a workstation. */
const VAULT: Vault = { cpf: '52998224725', pin: '1234' };
const WORKSTATION: Vault = { cpf: '11144477735', pin: '4321' };

const LOOK_EVERY_MS = 200;
const MAX_LOOKS = 600;
/** With the text around it, below the 10 MB that API Gateway takes. */
const LARGE_BYTES = 7_000_000;

const PDF = 'application/pdf';
const fileOf = (bytes: Buffer<ArrayBuffer>, name: string, type: string): File =>
  new File([bytes], name, { type });

function formOf(fields: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** Asks again until the answer is the one that is waited for. */
async function until(look: () => Promise<boolean>, what: string): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    if (await look()) return;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error(`${what} did not come about.`);
}

/** Signs, and fetches the signed PDF, which may still be on its way when the first call is answered. */
async function sign(
  { ask, look }: Host,
  name: string,
  body: FormData | Readonly<Record<string, string>>,
): Promise<void> {
  const { json } = await ask(name, '/session/v1/signatures', { body, expected: 202 });
  const path = `/session/v1/signatures/${json.signatureId}/document`;
  await until(async () => (await look(path)).bytes.includes('/ByteRange'), name);
  await ask(`${name}, signed`, path);
}

/** A PDF in JSON and in forms, from a link and from a batch; a large one. */
export async function playSession(host: Host): Promise<void> {
  const { ask } = host;
  const opened = await ask('open a session', '/session/v1/sessions', { body: VAULT, expected: 201 });
  const { sessionId } = opened.json;
  const of = (path: string) => `/session/v1/${path}?sessionId=${sessionId}`;
  await ask('status of a session', of('sessions/status'));
  await ask('certificate of a session', of('certificates/info'));

  const document = pdf('in JSON').toString('base64');
  await sign(host, 'sign JSON', { sessionId, document });
  const large = fileOf(pdf('large', LARGE_BYTES), 'large.pdf', PDF);
  await sign(host, 'sign a large form', formOf({ sessionId, document: large }));

  const bytes = pdf('uploaded');
  const upload = await ask('link for an upload', '/session/v1/uploads/presigned', {
    body: { sessionId, size: bytes.length, fileName: 'c.pdf' },
  });
  await put(upload.json, bytes);
  await sign(host, 'sign an upload', { sessionId, uploadId: upload.json.uploadId });

  const files = formOf({ sessionId, files: fileOf(pdf('one'), 'one.pdf', PDF) });
  files.append('files', new File(['no PDF'], 'two.txt', { type: 'text/plain' }));
  await ask('sign several', '/session/v1/signatures/batch', { body: files, expected: 202 });
  await ask('end a session', '/session/v1/sessions/deactivate', { body: { sessionId } });
  const late = { sessionId, document };
  await ask('sign after the end', '/session/v1/signatures', { body: late, expected: 401 });
}

async function put(
  { url, method, headers }: { url: string; method: string; headers: Record<string, string> },
  body: Buffer<ArrayBuffer>,
): Promise<void> {
  const answer = await fetch(url, { method, headers, body });
  if (answer.status !== 200) throw new Error(`${method} to the link of an upload: ${answer.status}`);
}

/** Two files to their signatures: one in a form, one by a link, whose arrival the store tells by a queue. */
export async function playBatch({ ask, look }: Host): Promise<void> {
  const completed = (id: string) =>
    until(async () => {
      const job = await look(`/batch/api/jobs/${id}`);
      if (job.json.status === 'Failed') throw new Error(`The job failed: ${job.bytes}`);
      return job.json.status === 'Completed';
    }, 'A completed job');
  // A file name counts once.
  const run = Date.now();
  const text = fileOf(Buffer.from(`Payments ${run}`), `smoke-${run}.txt`, 'text/plain');
  const body = formOf({ file: text });
  const { json: job } = await ask('upload to batch', '/batch/api/files', { body, expected: 202 });
  await completed(job.jobId);
  await ask('a completed job', `/batch/api/jobs/${job.jobId}`);
  await ask('its output', `/batch/api/jobs/${job.jobId}/output`);
  await ask('its output again, compact', `/compact/api/jobs/${job.jobId}/output`);

  const content = Buffer.from(`By a link ${run}`);
  const link = await ask('link of batch', '/batch/api/files/presigned', {
    body: { name: `smoke-link-${run}.txt`, contentType: 'text/plain', size: content.length },
  });
  await put(link.json, content);
  await until(async () => (await look(`/batch/api/jobs/${link.json.id}`)).status === 200, 'A job');
  await completed(link.json.id);
  await ask('a job by a link', `/batch/api/jobs/${link.json.id}`);

  // A schedule has the worker's heart beat.
  await until(
    async () => (await look('/batch/api/cluster')).json.instances.length > 0,
    'A run of a schedule',
  );
}

/** A document with a signer, read and canceled. */
export async function playDocuments({ ask }: Host): Promise<void> {
  const file = fileOf(pdf('contract'), 'contract.pdf', PDF);
  const { json: upload } = await ask('upload to documents', '/documents/api/uploads', {
    body: formOf({ file }),
  });
  const user = { name: 'Ana Souza', identifier: VAULT.cpf, email: 'ana@sandbox.example' };
  const { json: created } = await ask('create a document', '/documents/api/documents', {
    body: { files: [{ id: upload.id }], flowActions: [{ type: 'Signer', user }] },
  });
  const path = `/documents/api/documents/${created[0].documentId}`;
  await ask('read a document', path);
  await ask('its content', `${path}/content`);
  await ask('its content in base64', `${path}/content-b64`);
  await ask('cancel a document', `${path}/cancellation`, { body: { reason: 'The wrong one.' } });
}

/** Under a session whose key is at a workstation. Its agent runs, and has the PIN in use. */
export async function playAgent(host: Host): Promise<void> {
  const { ask } = host;
  const opened = await ask('agent: open a session', '/session/v1/sessions', {
    body: WORKSTATION,
    expected: 201,
  });
  const { sessionId } = opened.json;
  await sign(host, 'agent: sign JSON', { sessionId, document: pdf('by an agent').toString('base64') });
}
