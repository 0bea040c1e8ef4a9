import { enterCallersFolder, useCompileCache } from '../terminal/start.ts';

useCompileCache();
enterCallersFolder('open');
const { runOpen } = await import('./run.ts');
process.exitCode = await runOpen(process.argv.slice(2));
