import type { WebhookEvent } from '@sinete/client/webhooks';
import { listen } from '../listen.ts';
import { openInbox } from './inbox.ts';
import { createReceiver } from './receiver.ts';
import { whereToRead } from './where-to-read.ts';

const { PORT = '9900', TOKEN, SECRET, INBOX = 'inbox' } = process.env;

if (!TOKEN) {
  console.error('Set TOKEN to the token of the webhook: without one, anybody could send events here.');
  process.exit(1);
}

/** Your own work goes here. Events may be late, repeated or out of order: ask the API for the current state. */
function work(event: WebhookEvent, id: string): void {
  console.log(`${id} ${event.type}`);
  const path = whereToRead(event);
  if (path) console.log(`  its current state: GET ${path}`);
}

const { server, workLater } = createReceiver({
  authType: 'Bearer',
  token: TOKEN,
  secret: SECRET,
  inbox: openInbox(INBOX),
  work,
});
await workLater(); // events that an earlier run left
listen(server, PORT, { host: '::', message: `Waiting for webhooks on port ${PORT}` });
