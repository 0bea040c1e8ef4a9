import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../../shared/command-line/is-alive.ts';

/** Tells other programs where a running engine and its stores are. */
export type EngineFile = {
  pid: number;
  port: number;
  /** `http://localhost:3000` */
  url: string;
  /** For the AWS SDK to reach its stores (stage, region, account, endpoints, credentials), and the sealing keys. */
  env: Record<string, string>;
};

const pathIn = (dataDir: string) => join(dataDir, 'engine.json');

/**
 * The engine that runs on a data folder, or undefined when none does.
 * @example Object.assign(process.env, readEngine('.local')?.env)
 */
export function readEngine(dataDir: string): EngineFile | undefined {
  try {
    const engine: unknown = JSON.parse(readFileSync(pathIn(dataDir), 'utf8'));
    return isEngine(engine) && isAlive(engine.pid) ? engine : undefined;
  } catch {
    return undefined;
  }
}

/** Only this user may read it: on LocalStack or AWS it may hold real credentials. */
export function writeEngine(dataDir: string, engine: EngineFile): void {
  const draft = `${pathIn(dataDir)}.draft`;
  writeFileSync(draft, `${JSON.stringify(engine, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, pathIn(dataDir));
}

export const removeEngine = (dataDir: string): void => rmSync(pathIn(dataDir), { force: true });

/** A process id of 0 or less means a group of processes to the system, which always has a member. */
function isEngine(value: unknown): value is EngineFile {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, port, url, env } = value as Partial<Record<keyof EngineFile, unknown>>;
  const isNumber = (it: unknown) => Number.isInteger(it) && Number(it) > 0;
  const isTexts =
    typeof env === 'object' && env !== null && Object.values(env).every((it) => typeof it === 'string');
  return isNumber(pid) && isNumber(port) && typeof url === 'string' && isTexts;
}
