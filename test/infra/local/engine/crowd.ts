// Callers that try to starve others, against an engine on this machine: bounded in count, and gone when stopped.
import { connect, type Socket } from 'node:net';
import { createOrganization } from '../../../../functions/documents/domain/places/organization-roster.ts';
import { readEngine } from '../../../../infra/local/engine/engine-file.ts';
import { useStores } from '../../../../infra/local/stores/endpoints.ts';
import { putApplication } from '../../../../shared/access/administration.ts';
import { newKey } from '../../../../shared/access/applications.ts';

export type Application = { readonly key: string };
export type Place = { readonly url: string; readonly port: number };

/** From here on this process works on the stores of an engine. */
export function joinEngine(dataDir: string): void {
  const engine = readEngine(dataDir);
  if (!engine) throw new Error(`No engine runs on ${dataDir}.`);
  useStores(engine.env);
}

/** An application with a key of its own at the session server and the document platform, and an organization. */
export async function newApplication(name: string): Promise<Application> {
  const owner = { id: name, name };
  const { id } = await createOrganization({ name, identifier: null, owner }, Date.now());
  const { text, key } = newKey(name);
  const application = {
    name,
    disabled: false,
    permissions: [],
    registered: { organizations: [id] },
    keys: [key],
  };
  for (const service of ['documents', 'session'] as const) await putApplication(service, application);
  return { key: text };
}

/** Answers by their status. */
export type Answers = Map<number, number>;
const count = (answers: Answers, status: number): void => {
  answers.set(status, (answers.get(status) ?? 0) + 1);
};

/** Uploads that never end, each begun anew when it is refused. */
export function slowUploads({ port }: Place, { key }: Application, uploads: number) {
  const answers: Answers = new Map();
  const open = new Set<Socket>();
  let isGoing = true;
  const head = [
    'POST /session/v1/signatures/batch HTTP/1.1',
    'Host: localhost',
    `X-API-Key: ${key}`,
    'Content-Type: multipart/form-data; boundary=slow',
    'Content-Length: 10000000',
    '\r\n',
  ].join('\r\n');
  const begin = (): void => {
    if (!isGoing) return;
    const socket = connect(port, '127.0.0.1');
    // Before it is connected, or the first byte that trickles would stand before it.
    socket.write(head);
    open.add(socket);
    socket.on('data', (chunk) => {
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1')) ?? [];
      if (!status) return;
      count(answers, Number(status));
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      setTimeout(begin, RETRY_MS).unref();
    });
  };
  for (let n = 0; n < uploads; n++) begin();
  const trickle = setInterval(() => {
    for (const socket of open) socket.write('x');
  }, 1_000);
  return {
    answers,
    open: () => open.size,
    stop() {
      isGoing = false;
      clearInterval(trickle);
      for (const socket of open) socket.destroy();
    },
  };
}

// Who is refused comes again, as impatient clients do.
const RETRY_MS = 250;

/** Callers that ask the same again as soon as they are answered. */
export function callers(ask: (signal: AbortSignal) => Promise<Response>, number: number) {
  const answers: Answers = new Map();
  const over = new AbortController();
  let isGoing = true;
  const call = async (): Promise<void> => {
    while (isGoing) {
      const answer = await ask(over.signal).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      if (isGoing) count(answers, answer?.status ?? 0);
      if (answer?.status !== 200) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  };
  const all = Array.from({ length: number }, call);
  return {
    answers,
    async stop() {
      isGoing = false;
      over.abort();
      await Promise.all(all);
    },
  };
}

/** A document of the platform. Gives its id. */
export async function createDocument({ url }: Place, { key }: Application, pdf: Buffer): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'contrato.pdf');
  const headers = { 'x-api-key': key };
  const uploaded = await fetch(`${url}/documents/api/uploads`, { method: 'POST', headers, body: form });
  const { id } = (await uploaded.json()) as { id: string };
  const user = { name: 'Ana Prado', identifier: '52998224725' };
  const created = await fetch(`${url}/documents/api/documents`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ files: [{ id }], flowActions: [{ type: 'Signer', user }] }),
  });
  const [document] = (await created.json()) as { documentId: string }[];
  if (!document) throw new Error(`No document was created: ${created.status}.`);
  return document.documentId;
}

/** Opens a content of a document. */
export const openContent = (
  { url }: Place,
  { key }: Application,
  id: string,
  type: string,
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(`${url}/documents/api/documents/${id}/content?type=${type}`, {
    headers: { 'x-api-key': key },
    signal: signal ?? null,
  });
