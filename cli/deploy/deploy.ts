import { useCompileCache } from '../terminal/start.ts';

useCompileCache();
const { runDeploy } = await import('./run.ts');
process.exitCode = await runDeploy(process.argv.slice(2));
