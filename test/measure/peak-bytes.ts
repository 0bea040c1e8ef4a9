import { existsSync, readFileSync } from 'node:fs';

/**
 * The most memory that this process took. resourceUsage() carries the peak of whoever started it over into it; Linux also
 * tells this one's own.
 */
export function peakBytes(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const own = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
  return (own ? Number(own) : process.resourceUsage().maxRSS) * 1024;
}
