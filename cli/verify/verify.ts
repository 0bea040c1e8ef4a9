import { enterCallersFolder, useCompileCache } from '../terminal/start.ts';

useCompileCache();
enterCallersFolder('verify');
const { runVerify } = await import('./run.ts');
process.exitCode = await runVerify(process.argv.slice(2));
