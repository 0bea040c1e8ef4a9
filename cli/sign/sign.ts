import { enterCallersFolder, useCompileCache } from '../terminal/start.ts';

useCompileCache();
enterCallersFolder('sign');
const { runSign } = await import('./run.ts');
process.exitCode = await runSign(process.argv.slice(2));
