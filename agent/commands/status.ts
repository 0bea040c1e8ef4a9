import * as z from 'zod';
import type { Output } from '../../shared/command-line/output.ts';
import { readIdentity } from '../identity.ts';
import { readRunning } from '../running-file.ts';

const Told = z.object({
  connected: z.boolean(),
  pin: z.string(),
  certificates: z.array(z.object({ sha256: z.string(), subject: z.string() })),
});

const ANSWER_WITHIN_MS = 3_000;

/** `sinete-agent status`: who this workstation is, and whether its agent runs. */
export async function status(dataDir: string, { print }: Output): Promise<void> {
  const { agentId, name, server } = readIdentity(dataDir);
  print(`${name}, enrolled as ${agentId} at ${server}.`);
  const running = readRunning(dataDir);
  if (!running) return print('The agent does not run.');
  print(`The agent runs as process ${running.pid}.`);
  const told = running.page && (await asked(running.page));
  if (!told) return;
  print(`${told.connected ? 'It is connected' : 'It is not connected'}; PIN: ${told.pin}.`);
  for (const { subject, sha256 } of told.certificates) print(`${sha256.slice(0, 16)}  ${subject}`);
  print(`Page: ${running.page}`);
}

async function asked(page: string): Promise<z.output<typeof Told> | undefined> {
  try {
    const answer = await fetch(`${page}status.json`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    return Told.parse(await answer.json());
  } catch {
    return undefined;
  }
}
