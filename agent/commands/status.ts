import * as z from 'zod';
import type { Output } from '../../shared/command-line/output.ts';
import { readIdentity } from '../identity.ts';
import { readRunning } from '../running-file.ts';

const AgentStatus = z.object({
  connected: z.boolean(),
  pin: z.string(),
  certificates: z.array(z.object({ sha256: z.string(), subject: z.string() })),
});

const ANSWER_TIMEOUT_MS = 3_000;

/** `sinete-agent status`: the identity of this workstation, and whether its agent runs. */
export async function status(dataDir: string, { print }: Output): Promise<void> {
  const { agentId, name, server } = readIdentity(dataDir);
  print(`${name}, enrolled as ${agentId} at ${server}.`);
  const running = readRunning(dataDir);
  if (!running) return print('The agent does not run.');
  print(`The agent runs as process ${running.pid}.`);
  const found = running.page && (await fetchStatus(running.page));
  if (!found) return;
  print(`${found.connected ? 'It is connected' : 'It is not connected'}; PIN: ${found.pin}.`);
  for (const { subject, sha256 } of found.certificates) print(`${sha256.slice(0, 16)}  ${subject}`);
  print(`Page: ${running.page}`);
}

async function fetchStatus(page: string): Promise<z.output<typeof AgentStatus> | undefined> {
  try {
    const answer = await fetch(`${page}status.json`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    return AgentStatus.parse(await answer.json());
  } catch {
    return undefined;
  }
}
