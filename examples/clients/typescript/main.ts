import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Documents, Session } from '@sinete/client';
import { forExpress, webhookReceiver } from '@sinete/client/webhooks';

// Signs contract.pdf, verifies it, and waits for the webhook of a document.

const { SINETE_URL = 'http://localhost:3000' } = process.env;
const key = 'sandbox|sinete-local-key';
const orgId = '11111111-1111-4111-8111-111111111111';
const session = new Session({ url: `${SINETE_URL}/session`, key });
const documents = new Documents({ url: `${SINETE_URL}/documents`, key });
const contract = await openAsBlob('contract.pdf');

const { sessionId } = await session.createSession({ body: { cpf: '52998224725', pin: '1234' } });
const signatureId = await session.sign(sessionId, contract, { name: 'contract.pdf' });
const signed = await (await session.getDocument({ signatureId })).blob();
await writeFile('signed.pdf', signed.stream());
console.log('Signed: signed.pdf');

const form = new FormData();
form.append('file', signed, 'signed.pdf');
const { outcome, reasons, signatures } = await documents.verifyFile({ body: form });
console.log(`Verified: ${outcome}, ${signatures.length} signature`);
if (outcome !== 'valid') throw new Error(reasons.join(', '));

// Your address is on the internet, and its token and secret are in your settings.
const token = randomBytes(32).toString('hex');
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const created: string[] = [];
let onEvent = (): void => undefined;
const receive = forExpress(
  webhookReceiver({
    authType: 'Bearer',
    token,
    secret,
    handle(event) {
      if (event.type !== 'DocumentsCreated') return;
      created.push(...event.data.documents.map(({ id }) => id));
      onEvent();
    },
  }),
);
const server = createServer((request, response) =>
  // What is not confirmed comes again.
  receive(request, response, () => response.writeHead(500).end()),
);
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const { webhookId } = await documents.createWebhook({
  orgId,
  body: { url: address, authType: 'Bearer', token, secret },
});
console.log('Webhook: created');

try {
  const upload = await documents.upload(contract, { name: 'contract.pdf' });
  const [document] = await documents.createDocuments({
    body: {
      files: [{ id: upload, name: 'contract.pdf' }],
      flowActions: [{ type: 'Signer', step: 1, user: { name: 'Ana Lima', identifier: '52998224725' } }],
    },
  });
  // The webhook is told of every document of the organization.
  const isTold = () => document !== undefined && created.includes(document.documentId);
  await new Promise<void>((resolve, reject) => {
    onEvent = () => isTold() && resolve();
    onEvent();
    setTimeout(() => reject(new Error('No event came.')), 30_000).unref();
  });
  console.log('Event: DocumentsCreated');
} finally {
  await documents.deleteWebhook({ orgId, webhookId });
  server.close();
}
