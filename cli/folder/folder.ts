import { enterCallersFolder, useCompileCache } from '../terminal/start.ts';

useCompileCache();
enterCallersFolder('folder');
const { runFolder } = await import('./run.ts');
// Ctrl-C does not wait for uploads under way: the next command finds out what became of them.
process.exit(await runFolder(process.argv.slice(2)));
