import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { startServer } from '../../../shared/net/a-server.ts';

export type FakeDocument = {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly { readonly label: string; readonly value: string }[];
  readonly creationDate: string;
  /** The body of POST /api/documents. */
  readonly request: Record<string, unknown>;
  /** The bytes that were uploaded. */
  readonly original: Buffer;
  status: string;
  statusUpdateReason: string | null;
  signed: Buffer;
};

/** Of a call: it is answered something else, its line is cut before or after the work is done, or its body breaks off. */
export type Misbehavior =
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  | 'hang-up'
  | 'silence'
  | 'answer-lost'
  | 'cut-short'
  | undefined;

type Answer = {
  readonly status?: number;
  readonly body: Buffer | object;
  readonly headers?: Readonly<Record<string, string>>;
};

const NOT_FOUND: Answer = { status: 404, body: { code: 'DocumentNotFound', message: 'No such document.' } };

export type FakePlatform = Awaited<ReturnType<typeof startFakePlatform>>;

/** A platform in memory behind a real HTTP server, which misbehaves as a test says. */
export async function startFakePlatform() {
  const uploads = new Map<string, Buffer>();
  const documents = new Map<string, FakeDocument>();
  const calls: string[] = [];
  const platform = {
    misbehave: (_call: string): Misbehavior | Promise<Misbehavior> => undefined,
    /** How long an answer takes, as over a network. */
    answerMs: 0,
  };

  const server = await startServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const url = new URL(String(request.url), 'http://platform');
    const call = `${request.method} ${url.pathname}`;
    calls.push(call);
    if (platform.answerMs > 0) await pause(platform.answerMs);
    const otherwise = await platform.misbehave(call);
    if (otherwise === 'silence') return;
    if (otherwise === 'hang-up') return void request.socket.destroy();
    if (typeof otherwise === 'object')
      return void response.writeHead(otherwise.status, otherwise.headers).end(otherwise.body ?? '{}');
    const answer = answerOf(call, url.searchParams, body);
    if (otherwise === 'answer-lost') return void request.socket.destroy();
    send(request, response, answer, otherwise === 'cut-short');
  });

  function answerOf(call: string, query: URLSearchParams, body: Buffer): Answer {
    if (call === 'POST /api/uploads') {
      const id = randomUUID();
      uploads.set(id, fileIn(body));
      return { body: { id } };
    }
    if (call === 'POST /api/documents')
      return { body: [{ documentId: create(JSON.parse(String(body))).id }] };
    if (call === 'GET /api/documents') return { body: { items: list(query), nextCursor: null } };
    const [, id = '', after] = /\/api\/documents\/([^/]+)(\/\w+)?$/.exec(call) ?? [];
    const document = documents.get(id);
    if (!document) return NOT_FOUND;
    if (after === '/content')
      return { body: document.signed, headers: { 'content-type': 'application/octet-stream' } };
    if (after !== '/cancellation') return { body: rendered(document) };
    if (document.status !== 'Pending')
      return { status: 422, body: { code: 'InvalidDocumentStatus', message: `It is ${document.status}.` } };
    document.status = 'Canceled';
    document.statusUpdateReason = JSON.parse(String(body)).reason;
    return { body: {} };
  }

  function create(request: Record<string, unknown>): FakeDocument {
    const [file] = request.files as { id: string; name: string }[];
    const document: FakeDocument = {
      id: randomUUID(),
      name: file?.name ?? '',
      tags: request.tags as FakeDocument['tags'],
      creationDate: new Date().toISOString(),
      request,
      original: uploads.get(file?.id ?? '') ?? Buffer.alloc(0),
      status: 'Pending',
      statusUpdateReason: null,
      signed: Buffer.alloc(0),
    };
    documents.set(document.id, document);
    return document;
  }

  const list = (query: URLSearchParams) =>
    [...documents.values()]
      .filter(
        ({ name, status }) =>
          name.includes(query.get('q') ?? '') && (!query.get('status') || status === query.get('status')),
      )
      .map(rendered)
      .reverse();

  return Object.assign(platform, {
    url: server.url,
    calls,
    documents,
    /** The documents of a job. */
    of: (jobId: string): FakeDocument[] =>
      [...documents.values()].filter(({ tags }) => tags.some(({ value }) => value === jobId)),
    stop: server.stop,
  });
}

const rendered = ({ id, name, tags, creationDate, status, statusUpdateReason }: FakeDocument) => ({
  ...{ id, name, tags, creationDate, status, statusUpdateReason },
  flowActions: [],
});

/** The file of a multipart form with one part. */
const fileIn = (form: Buffer): Buffer =>
  form.subarray(form.indexOf('\r\n\r\n') + 4, form.lastIndexOf('\r\n--', form.length - 4));

function send(request: IncomingMessage, response: ServerResponse, answer: Answer, isCut: boolean): void {
  const bytes = Buffer.isBuffer(answer.body) ? answer.body : Buffer.from(JSON.stringify(answer.body));
  response.writeHead(answer.status ?? 200, { ...answer.headers, 'content-length': String(bytes.length) });
  if (!isCut) return void response.end(bytes);
  response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.destroy());
}
