import { execFile } from 'node:child_process';
import { writeEngine } from '../../infra/local/engine/engine-file.ts';

/** How a command ended, and what it said on the way. */
export type Ended = { readonly code: number; readonly out: string; readonly error: string };

type CommandOptions = {
  readonly env?: NodeJS.ProcessEnv;
  /** Options of Node itself. */
  readonly node?: readonly string[];
};

/** Runs one of the repository's commands as a process of its own, with this test's stores unless told otherwise. */
export const command =
  (script: string, { env = process.env, node = [] }: CommandOptions = {}) =>
  (...words: readonly string[]): Promise<Ended> =>
    new Promise((resolve) => {
      execFile(process.execPath, [...node, script, ...words], { env }, (failure, out, error) => {
        const code = failure ? (typeof failure.code === 'number' ? failure.code : -1) : 0;
        resolve({ code, out: out.trim(), error: error.trim() });
      });
    });

/** This environment without the stores of the test run: as a shell has it where nothing is set. */
export const bareEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(AWS_|SINETE_|STAGE$|Stores__|VITEST|Http__|Log__)/.test(name),
    ),
  );

/** Announces the stores of the test run on a data folder, as a running engine announces its own. */
export function announceEngine(dataDir: string, url = 'http://localhost:3000'): void {
  const stores = Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
    /^(AWS_|SINETE_|Stores__)/.test(name) && value !== undefined ? [[name, value]] : [],
  );
  writeEngine(dataDir, {
    pid: process.pid,
    port: 3000,
    url,
    env: Object.fromEntries(stores),
  });
}
