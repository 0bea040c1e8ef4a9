// `npm run agent`: the workstation agent, and without a command the agent of the sandbox's holder.
import { CONSOLE } from '../../shared/command-line/output.ts';
import { useCompileCache } from '../terminal/start.ts';

useCompileCache();
const { runAgent } = await import('../../agent/run-agent.ts');
process.exitCode = await runAgent(process.argv.slice(2), CONSOLE, async (engineDir, output) => {
  // Loaded only here: an agent of another server needs no local engine.
  const { sandboxWorkstation } = await import('./sandbox.ts');
  return sandboxWorkstation(engineDir, output);
});
