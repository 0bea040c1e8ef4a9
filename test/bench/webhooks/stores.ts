import { createDeclared } from '../../../infra/local/resources/create.ts';
import { readDeclared } from '../../../infra/local/resources/read.ts';
import { startEmulators } from '../../../infra/local/stores/emulators.ts';

// Run by webhooks.ts in a process of its own, as the local engine runs them beside the functions.

const { env } = await startEmulators();
Object.assign(process.env, env, { STAGE: 'local' });
await createDeclared(readDeclared(process.cwd(), 'local'));
process.send?.(env);
process.on('disconnect', () => process.exit(0));
