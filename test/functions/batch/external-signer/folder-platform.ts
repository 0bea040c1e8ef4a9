import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type ActionState = 'Created' | 'Pending' | 'Completed' | 'Refused';

export type RemoteAction = {
  id: string;
  type: string;
  status: ActionState;
  step: number;
  user: { identifier: string } | null;
  signRuleUsers: { identifier: string }[];
  completedBy: { identifier: string }[];
};

export type RemoteDocument = {
  id: string;
  filename: string;
  status: string;
  folder: { id: string } | null;
  flowActions: RemoteAction[];
  /** Every signature that the platform accepted. */
  signatures: Buffer[];
};

/** What becomes of a call in place of its answer. `answer-lost` does it first. */
export type Interference =
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }
  | 'silence'
  | 'hang-up'
  | 'answer-lost'
  | undefined;

/** The calls of a run, by short names. */
export type Call = 'folder' | 'list' | 'read' | 'action-url' | 'start' | 'complete';

type Answer = { readonly status: number; readonly body: unknown };
const ok = (body: unknown): Answer => ({ status: 200, body });
const NOT_FOUND: Answer = { status: 404, body: { code: 'DocumentNotFound', message: 'No such document.' } };

export const signerAction = (cpf: string, changes: Partial<RemoteAction> = {}): RemoteAction => ({
  id: randomUUID(),
  type: 'Signer',
  status: 'Pending',
  step: 1,
  user: { identifier: cpf },
  signRuleUsers: [],
  completedBy: [],
  ...changes,
});

/** A document platform in memory behind a real server, which answers as a test says. */
export async function serveFolderPlatform() {
  const documents = new Map<string, RemoteDocument>();
  const folders = new Set<string>();
  const calls: Call[] = [];
  const tokens = new Map<string, RemoteAction>();
  const state = {
    interfere: (() => undefined) as (call: Call, id: string) => Interference | Promise<Interference>,
    pageSize: 100,
    /** Whether the list has the actions of its documents. */
    listsFlows: true,
    /** The cursors of the lists that were asked for. */
    cursors: [] as (string | null)[],
  };

  const visible = ({ signatures, ...document }: RemoteDocument) => document;
  const withoutFlow = ({ signatures, flowActions, ...document }: RemoteDocument) => document;
  const waits = ({ status, flowActions }: RemoteDocument): boolean =>
    status === 'Pending' && flowActions.some((action) => action.status === 'Pending');

  const handlers: Readonly<Record<Call, (id: string, body: Body, query: URLSearchParams) => Answer>> = {
    folder: (id) =>
      folders.has(id) ? ok({ id, name: 'Folder' }) : { status: 404, body: { code: 'FolderNotFound' } },
    list(_, __, query) {
      const all = [...documents.values()].filter(
        (document) => document.folder?.id === query.get('folderId') && waits(document),
      );
      state.cursors.push(query.get('cursor'));
      const from = Number(query.get('cursor') ?? 0);
      const to = from + state.pageSize;
      return ok({
        items: all
          .slice(from, to)
          .map((document) => (state.listsFlows ? visible(document) : withoutFlow(document))),
        nextCursor: to < all.length ? String(to) : null,
      });
    },
    read(id) {
      const document = documents.get(id);
      return document ? ok(visible(document)) : NOT_FOUND;
    },
    'action-url': (id) =>
      documents.has(id)
        ? ok({ url: `https://platform.example/document/key/${id}/action?ticket=t-${id}` })
        : NOT_FOUND,
    start(id, { flowActionId }) {
      const action = documents.get(id)?.flowActions.find((one) => one.id === flowActionId);
      if (action?.status !== 'Pending')
        return { status: 422, body: { code: 'ActionNotPending', message: 'No.' } };
      const token = randomUUID();
      tokens.set(token, action);
      return ok({
        success: true,
        token,
        toSignHash: Buffer.alloc(32, 1).toString('base64'),
        digestAlgorithm: 'SHA256',
      });
    },
    complete(id, { token, signature }) {
      const action = tokens.get(String(token));
      const document = documents.get(id);
      if (!document || action?.status !== 'Pending') return ok({ success: false });
      document.signatures.push(Buffer.from(String(signature), 'base64'));
      action.status = 'Completed';
      if (document.flowActions.every(({ status }) => status === 'Completed')) document.status = 'Concluded';
      return ok({ success: true });
    },
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(String(request.url), 'http://platform');
    const text = Buffer.concat(await request.toArray()).toString();
    const [call, id] = nameOf(pathname);
    calls.push(call);
    const otherwise = await state.interfere(call, id);
    if (otherwise === 'silence') return;
    if (otherwise === 'hang-up') return void request.socket.destroy();
    if (typeof otherwise === 'object')
      return void response.writeHead(otherwise.status, otherwise.headers).end(otherwise.body ?? '{}');
    const { status, body } = handlers[call](id, text ? JSON.parse(text) : {}, searchParams);
    if (otherwise === 'answer-lost') return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));

  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    documents,
    folders,
    calls,
    /** Puts a document into a folder. */
    put(folderId: string, filename: string, ...flowActions: RemoteAction[]): RemoteDocument {
      const id = randomUUID();
      const folder = { id: folderId };
      const document = { id, filename, status: 'Pending', folder, flowActions, signatures: [] };
      documents.set(id, document);
      return document;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  });
}

type Body = Readonly<Record<string, unknown>>;

const ROUTES: readonly (readonly [RegExp, Call])[] = [
  [/^\/api\/folders\/([^/]+)\/details$/, 'folder'],
  [/^\/api\/documents$/, 'list'],
  [/^\/api\/documents\/([^/]+)\/action-url$/, 'action-url'],
  [/^\/api\/documents\/keys\/([^/]+)\/signature\/certificate$/, 'start'],
  [/^\/api\/documents\/keys\/([^/]+)\/signature$/, 'complete'],
  [/^\/api\/documents\/([^/]+)$/, 'read'],
];

function nameOf(pathname: string): [Call, string] {
  for (const [route, call] of ROUTES) {
    const match = route.exec(pathname);
    if (match) return [call, match[1] ?? ''];
  }
  throw new Error(`No such call: ${pathname}`);
}
