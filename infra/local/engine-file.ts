import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How other programs find a running engine and its stores. */
export type EngineFile = {
  pid: number;
  port: number;
  /** `http://localhost:3000` */
  url: string;
  /** Stage, region, account, endpoints, credentials: what the AWS SDK needs to reach its stores. */
  env: Record<string, string>;
};

const pathIn = (dataDir: string) => join(dataDir, 'engine.json');

/**
 * The engine that runs on a data folder, or undefined when none does.
 * @example Object.assign(process.env, readEngine('.local')?.env)
 */
export function readEngine(dataDir: string): EngineFile | undefined {
  try {
    const engine: EngineFile = JSON.parse(readFileSync(pathIn(dataDir), 'utf8'));
    return isAlive(engine.pid) ? engine : undefined;
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
