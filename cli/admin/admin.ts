import { useCompileCache } from '../terminal/start.ts';

useCompileCache();
const { runAdmin } = await import('./run.ts');
process.exitCode = await runAdmin(process.argv.slice(2));
