import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handler as cancel } from '../../functions/documents/endpoints/documents/cancel-document.ts';
import { handler as create } from '../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as createStarted } from '../../functions/documents/endpoints/documents/create-started-document.ts';
import { handler as get } from '../../functions/documents/endpoints/documents/get-document.ts';
import { handler as list } from '../../functions/documents/endpoints/documents/list-documents.ts';
import { handler as content } from '../../functions/documents/endpoints/downloads/get-content.ts';
import { handler as createFolder } from '../../functions/documents/endpoints/folders/create-folder.ts';
import { handler as folderDetails } from '../../functions/documents/endpoints/folders/get-folder-details.ts';
import { handler as complete } from '../../functions/documents/endpoints/signing/complete-signature.ts';
import { handler as completeByKey } from '../../functions/documents/endpoints/signing/complete-signature-by-key.ts';
import { handler as actionUrl } from '../../functions/documents/endpoints/signing/create-action-url.ts';
import { handler as refuse } from '../../functions/documents/endpoints/signing/refuse-document.ts';
import { handler as start } from '../../functions/documents/endpoints/signing/start-signature.ts';
import { handler as startByKey } from '../../functions/documents/endpoints/signing/start-signature-by-key.ts';
import { handler as presignUpload } from '../../functions/documents/endpoints/uploads/create-presigned-upload.ts';
import { handler as upload } from '../../functions/documents/endpoints/uploads/create-upload.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { call } from '../requests/http-event.ts';

/** `POST /api/documents/{id}/cancellation` as an expression with the parameter as a group. */
const pattern = (route: string): RegExp => new RegExp(`^${route.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

const ROUTES: readonly (readonly [RegExp, Endpoint])[] = [
  ...[
    upload,
    presignUpload,
    create,
    createStarted,
    list,
    get,
    content,
    cancel,
    refuse,
    actionUrl,
    createFolder,
    folderDetails,
  ],
  ...[start, complete, startByKey, completeByKey],
].map((handler) => [pattern(handler.declaration.route), handler]);

/**
 * What becomes of a call: it is answered something else and never reaches the platform, its line is cut, nothing is
 * ever said, the platform does it and its answer is lost: at once, or when it is told to, or its answer breaks off.
 */
export type Interference =
  | {
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | 'hang-up'
  | 'silence'
  | 'answer-lost'
  | 'done-later'
  | 'cut-short'
  | undefined;
export type Interfere = (call: string) => Interference | Promise<Interference>;

export type Platform = {
  readonly url: string;
  /** Every call that came, as `POST /api/uploads`. */
  readonly calls: string[];
  /** The correlation id of each of them. */
  readonly correlationIds: unknown[];
  interfere: Interfere;
  /** The platform does what was to be done later. */
  doLater(): Promise<void>;
  stop(): void;
};

const STARTED = { success: true, token: 't', toSignHash: Buffer.alloc(32).toString('base64') };

const TAKEN: readonly (readonly [RegExp, () => unknown])[] = [
  [/uploads$/, () => ({ id: crypto.randomUUID() })],
  [/documents$/, () => [{ documentId: crypto.randomUUID() }]],
  [/started$/, () => ({ document: { documentId: crypto.randomUUID() }, signature: STARTED })],
  [/certificate$/, () => STARTED],
  [/signature$/, () => ({ success: true })],
];

/** As a platform answers that takes what it is given and does nothing with it: for rules about the way there. */
export const acceptCall = (call: string): Interference & object => {
  const [, answer] = TAKEN.find(([route]) => route.test(call)) ?? [];
  return { status: 200, body: JSON.stringify(answer?.() ?? {}) };
};

export type PlatformOptions = {
  /** Whether it is another's, with the operations of the contract and none of ours beside them. */
  readonly isForeign?: boolean;
};

const isOurOwn = (named: string): boolean => named === createStarted.declaration.route;

/** The document platform's own functions behind a real server, as its clients meet them. */
export async function servePlatform({ isForeign = false }: PlatformOptions = {}): Promise<Platform> {
  const calls: string[] = [];
  const correlationIds: unknown[] = [];
  const platform = { calls, correlationIds, interfere: (() => undefined) as Interfere };
  const later: (() => Promise<unknown>)[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(String(request.url), 'http://platform');
    const named = `${request.method} ${pathname}`;
    calls.push(named);
    correlationIds.push(request.headers['x-correlation-id']);
    const body = Buffer.concat(await request.toArray());
    const otherwise = await platform.interfere(named);
    if (otherwise === 'silence') return;
    if (otherwise === 'hang-up') return void request.socket.destroy();
    if (typeof otherwise === 'object')
      return void response.writeHead(otherwise.status, otherwise.headers).end(otherwise.body ?? '{}');
    if (isForeign && isOurOwn(named)) return void response.writeHead(404).end('<html>No such page</html>');
    const work = () => callHandler(request, body, named, Object.fromEntries(searchParams));
    if (otherwise === 'done-later') {
      later.push(work);
      return void request.socket.destroy();
    }
    const { status, headers, bytes } = await work();
    if (otherwise === 'answer-lost') return void request.socket.destroy();
    if (otherwise === 'cut-short') {
      response.writeHead(status, { ...headers, 'content-length': String(bytes.length) });
      return void response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.destroy());
    }
    response.writeHead(status, headers).end(bytes);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return Object.assign(platform, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async doLater() {
      for (const work of later.splice(0)) await work();
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  });
}

async function callHandler(
  request: IncomingMessage,
  body: Buffer,
  named: string,
  query: Record<string, string>,
) {
  for (const [route, handler] of ROUTES) {
    const match = route.exec(named);
    if (!match) continue;
    return call(handler, {
      method: String(request.method),
      params: Object.fromEntries(
        Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
      ),
      query,
      headers: request.headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
  }
  return { status: 404, headers: {}, bytes: Buffer.from('{}') };
}
