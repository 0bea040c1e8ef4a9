import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { beforeEach } from 'vitest';
import type { RemoteJob } from '../../../cli/folder/api.ts';
import { runFolder } from '../../../cli/folder/run.ts';
import { STATE_FILE } from '../../../cli/folder/state.ts';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { s3 } from '../../../shared/files/client.ts';
import { bucketName } from '../../../shared/settings/names.ts';
import { type SharedEngine, sharedEngine } from '../../servers/shared-engine.ts';

const folders: string[] = [];

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-folder-'));
  folders.push(folder);
  return folder;
}

export const removeFolders = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
};

export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

type Hooks = {
  /** Called with every line before the command goes on. */
  readonly onLine?: (line: string, stop: () => void) => void;
  /** Called in place of every pause, with its number from 1. */
  readonly onPause?: (number: number, stop: () => void) => void;
  readonly now?: () => number;
};

// A pause is short: the samples of the stability check and the rounds follow each other at once.
const SHORT_MS = 20;

/** Runs the command in this process. */
export async function run(words: readonly string[], { onLine, onPause, now = Date.now }: Hooks = {}) {
  const lines: string[] = [];
  const stop = new AbortController();
  let pauses = 0;
  const print = (line: string): void => {
    lines.push(line);
    onLine?.(line, () => stop.abort());
  };
  const pause = async (): Promise<void> => {
    onPause?.(++pauses, () => stop.abort());
    await pauseFor(SHORT_MS);
  };
  const parts = { clock: { pause, now }, screen: { write: () => undefined }, signal: stop.signal };
  const code = await runFolder(words, { print, printError: print }, parts);
  return { code, lines, text: lines.join('\n') };
}

/** The service of an engine, as a person sees it. */
export const serviceOf = ({ url }: SharedEngine) => {
  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${url}/batch/api/${path}`, { headers: { 'x-api-key': SANDBOX_KEY } });
    return answer.json();
  };
  return {
    /** The jobs of a file of a folder, newest first. */
    async jobsOf(path: string): Promise<RemoteJob[]> {
      const found: RemoteJob[] = [];
      // Other tests of the engine make hundreds.
      for (let page = 1; ; page++) {
        const { items } = (await get(`jobs?pageSize=200&page=${page}`)) as { items: RemoteJob[] };
        found.push(...items.filter(({ originalPath }) => originalPath === path));
        if (items.length < 200) return found;
      }
    },
    /** When the file of a folder was put there: a rewritten one has a later time, whatever its content. */
    async putAt(path: string): Promise<Date> {
      const { LastModified } = await s3().send(
        new HeadObjectCommand({ Bucket: bucketName('batch'), Key: path }),
      );
      if (!LastModified) throw new Error(`S3 tells no time of ${path}.`);
      return LastModified;
    },
    job: async (id: string) => (await get(`jobs/${id}`)) as { inputSha256: string | null },
  };
};

/** The shared engine, its service, and the words that synchronize a directory with it. */
export async function folderStage() {
  const engine = await sharedEngine();
  beforeEach(() => {
    // The stores of the test run, or of the command that ran in this process before.
    for (const name of Object.keys(process.env))
      if (/^(AWS_|SINETE_STORES$)/.test(name)) delete process.env[name];
  });
  const words = (dir: string, ...more: string[]): string[] => [
    dir,
    ...['--folder', 'inbox', '--data', engine.dataDir, ...more],
  ];
  return { engine, service: serviceOf(engine), words };
}

export const readState = (dir: string) =>
  JSON.parse(readFileSync(join(dir, STATE_FILE), 'utf8')) as { files: Record<string, unknown>[] };
