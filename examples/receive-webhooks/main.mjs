import { listen } from '../listen.ts';
import { openInbox } from './inbox.mjs';
import { createReceiver } from './receiver.mjs';
import { whereToRead } from './where-to-read.mjs';

const { PORT = '9900', AUTH_TYPE = 'Bearer', TOKEN = '', SECRET = '', INBOX = 'inbox' } = process.env;

if (AUTH_TYPE !== 'NoAuth' && !TOKEN) {
  console.error('Set TOKEN to the token of the webhook: without one, anybody could send events here.');
  process.exit(1);
}

/** Your own work goes here. Events may be late, repeated or out of order: ask the API for the current state. */
async function work(event, id) {
  console.log(`${id} ${event.type} ${event.data.id ?? ''}`);
  const path = whereToRead(event);
  if (path) console.log(`  its current state: GET ${path}`);
}

const inbox = openInbox(INBOX);
const { server, workLater } = createReceiver({
  authType: AUTH_TYPE,
  token: TOKEN,
  secret: SECRET,
  inbox,
  work,
});
await workLater(); // events that an earlier run left
listen(server, PORT, { host: '::', message: `Waiting for webhooks on port ${PORT}` });
