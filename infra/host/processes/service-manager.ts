import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import type { Logger } from '../../../shared/log/logger.ts';

/**
 * Tells systemd that a unit of `Type=notify` is ready, or stops; elsewhere nothing happens. Node has no datagrams of
 * local sockets, so systemd's own command sends it.
 * @example void notifyServiceManager('READY=1', log);
 */
export async function notifyServiceManager(state: 'READY=1' | 'STOPPING=1', log: Logger): Promise<void> {
  if (!process.env.NOTIFY_SOCKET) return;
  try {
    await promisify(execFile)('systemd-notify', [state]);
  } catch (error) {
    log.error('systemd was not told', { state, reason: reasonOf(error) });
  }
}
