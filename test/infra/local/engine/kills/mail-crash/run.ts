import { setTimeout as pause } from 'node:timers/promises';
import { ORGANIZATION_ID, SANDBOX_KEY } from '../../../../../../functions/sandbox/sandbox-data.ts';
import { forEachConcurrently } from '../../../../../../shared/async/for-each-concurrently.ts';
import { startKillable } from '../killed-work.ts';
import type { Judge } from './judge.ts';

const headers = { 'x-api-key': SANDBOX_KEY, 'content-type': 'application/json' };

type Options = { readonly documents: number; readonly kills: number; readonly judge: Judge };

/** A document that the platform has acknowledged. */
type Acknowledged = { readonly id: string; readonly addresses: readonly string[] };

export type MailRun = {
  readonly documents: readonly Acknowledged[];
  /** People without an invitation. */
  readonly missing: readonly string[];
  /** Messages that arrived more than once. */
  readonly repeated: readonly string[];
  /** Links that do not open the document of their message. */
  readonly dead: readonly string[];
  readonly messages: number;
  readonly seconds: number;
};

// Documents that are created at once, and links that are opened.
const CONCURRENCY = 8;

//   creates  |--1--2--3-- ... (what was not acknowledged is created under other addresses)
//   engine 1 |--mail, mail-- killed
//   engine 2                        |--mail, mail-- killed ...
//   judge    |--counts by Message-ID--------------------------|

/** Creates documents with two signers each while the engine is killed in the middle of their mail. */
export async function runMailCrash({ documents, kills, judge }: Options): Promise<MailRun> {
  const startedMs = Date.now();
  const engine = await startKillable({ ...judge.env, Mail__RemindAfterDays: '0' });
  const api = (method: string, path: string, body?: object) =>
    fetch(`${engine.url}/documents/api/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
  await api('PUT', `organizations/${ORGANIZATION_ID}/mail`, { enabled: true });

  const made: Acknowledged[] = [];
  let attempts = 0;
  const createOne = async (): Promise<void> => {
    for (;;) {
      const number = ++attempts;
      const addresses = [`one-${number}@sandbox.example`, `two-${number}@sandbox.example`];
      try {
        made.push({ id: await createDocument(api, addresses), addresses });
        return;
      } catch {
        await pause(200); // The engine is away. Its answer may be lost, and the document there.
      }
    }
  };
  const creating = forEachConcurrently(CONCURRENCY, Array.from({ length: documents }), createOne);
  for (let kill = 1; kill <= kills; kill++) {
    const from = Math.floor((2 * documents * kill) / (kills + 1));
    while (judge.taken.length < from) await pause(20);
    await engine.killAndRestart();
  }
  await creating;
  await forEachConcurrently(CONCURRENCY, made, ({ id }) => waitUntilSent(api, id));

  const byAddress = new Map(judge.taken.map((message) => [message.to, message]));
  const dead: string[] = [];
  await forEachConcurrently(CONCURRENCY, made, async ({ id, addresses }) => {
    for (const address of addresses) {
      const link = byAddress.get(address)?.link ?? '';
      const [, key, ticket] = /\/key\/([^/]+)\/action\?ticket=(\S+)$/.exec(link) ?? [];
      const answer = await api('GET', `documents/keys/${key}/details?ticket=${ticket}`);
      const shown = (await answer.json()) as { id?: string; action?: { canAct: boolean } };
      if (shown.id !== id || !shown.action?.canAct) dead.push(address);
    }
  });
  const copies = Map.groupBy(judge.taken, ({ messageId }) => messageId);
  return {
    documents: made,
    missing: made.flatMap(({ addresses }) => addresses.filter((address) => !byAddress.has(address))),
    repeated: [...copies].filter(([, all]) => all.length > 1).map(([messageId]) => messageId),
    dead,
    messages: judge.taken.length,
    seconds: (Date.now() - startedMs) / 1_000,
  };
}

type Api = (method: string, path: string, body?: object) => Promise<Response>;

async function createDocument(api: Api, addresses: readonly string[]): Promise<string> {
  const upload = await api('POST', 'uploads/bytes', { bytes: Buffer.from('Contrato').toString('base64') });
  const { id } = (await upload.json()) as { id: string };
  const flowActions = addresses.map((email) => ({ type: 'Signer', user: { name: email, email } }));
  const files = [{ id, displayName: 'Contrato', name: 'contrato.txt', contentType: 'text/plain' }];
  const created = await api('POST', 'documents', { files, flowActions });
  if (!created.ok) throw new Error(`The creation was answered ${created.status}.`);
  const [one] = (await created.json()) as { documentId: string }[];
  return one?.documentId ?? '';
}

type Message = { readonly status: string };

/** Nothing is sent again of a message that is marked as sent. */
async function waitUntilSent(api: Api, id: string): Promise<void> {
  for (;;) {
    const { messages } = (await (await api('GET', `documents/${id}`)).json()) as { messages: Message[] };
    if (messages.length === 2 && messages.every(({ status }) => status === 'Sent')) return;
    await pause(500);
  }
}
