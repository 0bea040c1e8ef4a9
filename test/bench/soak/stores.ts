import { setTimeout as pause } from 'node:timers/promises';
import { createDeclared } from '../../../infra/local/resources/create.ts';
import { readDeclared } from '../../../infra/local/resources/read.ts';
import { startEmulators } from '../../../infra/local/stores/emulators.ts';

// Run by strict-stores.ts in a process of its own: stores that behave like AWS under load. Each message sets how long a
// transaction has its items on average, and is answered with the counts.

let holdMs = 20;
// As on AWS, between three and five quarters of it.
const hold = () => pause(holdMs * (0.75 + Math.random() / 2));

const { env, counts } = await startEmulators({ aws: { hold } });
Object.assign(process.env, env, { STAGE: 'local' });
await createDeclared(readDeclared(process.cwd(), 'local'));
process.send?.(env);
process.on('message', (message: { holdMs: number }) => {
  holdMs = message.holdMs;
  process.send?.(counts);
});
process.on('disconnect', () => process.exit(0));
