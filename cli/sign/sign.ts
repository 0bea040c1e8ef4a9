import { enterCallersFolder, useCompileCache } from '../common/start.ts';

useCompileCache();
enterCallersFolder('sign');
const { runSign } = await import('./run.ts');
process.exitCode = await runSign(process.argv.slice(2));
