import { isDeepStrictEqual } from 'node:util';
import { start } from '../outside/support/programs.ts';
import { type Row, recorder } from './answer.ts';
import { playPlain } from './plain.ts';
import { playAgent, playBatch, playDocuments, playSession } from './stories.ts';

type Target = {
  /** @example 'http://localhost:3200' */
  readonly url: string;
  /** The data folder of the host: an agent is started for it, and signs. Without one that story is left out. */
  readonly dataDir?: string | undefined;
};

/**
 * Plays the smoke list: the services by what leaves nothing behind, then their stories. Throws where a story cannot go on.
 * @example const rows = await playSmoke({ url: 'http://localhost:3200', dataDir: '.offline' });
 */
export async function playSmoke({ url, dataDir }: Target): Promise<readonly Row[]> {
  const { host, rows } = recorder(url);
  // All of them to their ends: an agent is stopped with its story.
  const played = await Promise.allSettled([
    playPlain(host, url),
    playSession(host),
    playBatch(host),
    playDocuments(host),
    dataDir === undefined ? undefined : withAgent(dataDir, () => playAgent(host)),
  ]);
  for (const story of played) if (story.status === 'rejected') throw story.reason;
  return rows;
}

async function withAgent(dataDir: string, work: () => Promise<void>): Promise<void> {
  const agent = start(`npm run --silent agent -- --data '${dataDir}'`);
  try {
    await agent.until(/Connected to/);
    await work();
  } finally {
    await agent.stop();
  }
}

/** A line for each answer that is not the one which the list expects. */
export const unexpected = (rows: readonly Row[]): string[] =>
  rows
    .filter(({ status, expected }) => status !== expected)
    .map(({ name, status, expected }) => `${name}: ${status}, and not ${expected}`);

/** A line for each answer in which two hosts differ. A call of one of them alone is not compared. */
export const differences = (rows: readonly Row[], others: readonly Row[]): string[] => {
  const byName = new Map(others.map((row) => [row.name, row]));
  return rows.flatMap((row) => {
    const other = byName.get(row.name);
    return other === undefined || isDeepStrictEqual(row, other)
      ? []
      : [`${row.name}:\n  ${JSON.stringify(row)}\n  ${JSON.stringify(other)}`];
  });
};
