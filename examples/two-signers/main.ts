import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Documents } from '@sinete/client';
import { forExpress, webhookReceiver } from '@sinete/client/webhooks';
import { signAs } from '../sandbox/sign-as.ts';

// Sends a contract to two people, waits for it by webhook, and keeps the signed file.
// Usage: main.ts [root address] [data folder of npm start] [where the signed PDF goes]

const [root = 'http://localhost:3000', data = '.local', signed = '/tmp/contract-signed.pdf'] =
  process.argv.slice(2);
const documents = new Documents({ url: `${root}/documents`, key: 'sandbox|sinete-local-key' });
const orgId = '11111111-1111-4111-8111-111111111111';
const ASK_MS = 10_000;
const SIGNERS = [
  { name: 'First Holder', identifier: '52998224725' },
  { name: 'Second Holder', identifier: '47363361886' },
];

// Your address is on the internet, and its token and secret are in your settings.
const token = randomBytes(32).toString('hex');
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const concluded = Promise.withResolvers<void>();
let sent: string | undefined;
const receive = forExpress(
  webhookReceiver({
    authType: 'Bearer',
    token,
    secret,
    handle(event) {
      if (event.type !== 'DocumentSigned' && event.type !== 'DocumentConcluded') return;
      // The webhook is told of every document of the organization.
      if (event.data.id !== sent) return;
      console.log(`Event: ${event.type}`);
      if (event.type === 'DocumentConcluded') concluded.resolve();
    },
  }),
);
const server = createServer((request, response) =>
  receive(request, response, (error) => {
    console.error(error);
    // What is not confirmed comes again.
    response.writeHead(500).end();
  }),
);
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const { webhookId } = await documents.createWebhook({
  orgId,
  body: { url: address, authType: 'Bearer', token, secret },
});

try {
  const contract = await openAsBlob(join(import.meta.dirname, 'contract.pdf'), { type: 'application/pdf' });
  const upload = await documents.upload(contract, { name: 'contract.pdf' });
  const [created] = await documents.createDocuments({
    body: {
      files: [{ id: upload, displayName: 'Contract' }],
      flowActions: SIGNERS.map((user) => ({ type: 'Signer', step: 1, user })),
    },
  });
  const id = created?.documentId ?? '';
  sent = id;
  for (const { name, identifier } of SIGNERS) {
    const { url } = await documents.createActionUrl({ id, body: { identifier } });
    console.log(`${name} signs at ${url}`);
    // In the sandbox, they sign at once.
    await signAs(documents, id, identifier, data);
  }

  await Promise.race([concluded.promise, askNowAndThen(id)]);
  const content = await documents.getContent({ id, type: 'Signatures' });
  await writeFile(signed, content.body ?? '');
  console.log(signed);
} finally {
  await documents.deleteWebhook({ orgId, webhookId });
  server.close();
}

/** For a delivery that never comes: a webhook may be away, or too new to be known everywhere. */
async function askNowAndThen(id: string): Promise<void> {
  do await setTimeout(ASK_MS, undefined, { ref: false });
  while (!(await documents.getDocument({ id })).isConcluded);
}
