import { join } from 'node:path';
import { lockFile } from './lock-file.ts';

export const LOCK_FILE = 'engine.lock';

/** One engine at a time on a data folder. Where two take over a stale lock at once, the store's own lock stops one. */
export const lockFolder = (dir: string, port: number, probeMs?: number): Promise<{ release(): void }> =>
  lockFile(join(dir, LOCK_FILE), {
    about: { port },
    inUse: (holder) =>
      `${dir} is in use by an engine on port ${holder.port} (process ${holder.pid}). Stop it, or choose another data folder.`,
    unwritable: 'Make its folder writable, or choose another data folder.',
    ...(probeMs !== undefined && { probeMs }),
  });
