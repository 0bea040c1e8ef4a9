// A process to be killed: serves the emulators from the folder it is given and tells its parent where.
import { startEmulators } from '../../../../infra/local/stores/emulators.ts';

const { env } = await startEmulators({ dataDir: process.argv[2] });
process.send?.(env);
// A test run that dies leaves no emulators behind.
process.once('disconnect', () => process.exit());
