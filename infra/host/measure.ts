// What the host measures of itself for /metrics. What breaks tomorrow shows in them today.
import { X509Certificate } from 'node:crypto';
import { readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setGauge } from '../../shared/metrics/count.ts';
import { storesIn } from '../local/stores/own.ts';
import { lastBackupMs } from './backup/last-backup.ts';
import type { HostConfig } from './config/config.ts';

const EVERY_MS = 15_000;
/** A process is woken so often to see whether it is late. */
const RESOLUTION_MS = 100;
const HOST = { Service: 'host' } as const;
const DAY_MS = 86_400_000;

/** Measures how late the event loop of this process is, and more where it is told, now and regularly. */
export function measureRegularly(measure: () => void = () => undefined): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const all = (): void => {
    // The histogram has the time between two looks. Before the second one it has nothing.
    const lateMs = delays.count === 0 ? 0 : Math.max(0, delays.max / 1e6 - RESOLUTION_MS);
    delays.reset();
    setGauge('HostLoopDelay', HOST, lateMs / 1_000);
    try {
      measure();
    } catch {
      // A folder that cannot be read is told by readiness. The host goes on.
    }
  };
  all();
  setInterval(all, EVERY_MS).unref();
}

export const measureWaiting = (calls: number): void => setGauge('HostWaitingCalls', HOST, calls);

type Measured = Pick<HostConfig, 'data' | 'listen'>;

/** What the parent measures for all: disk, store and backups, and the certificate that is served. */
export function measureHost({ data, listen: { cert } }: Measured): { renewCertificate(): void } {
  const startedAtMs = Date.now();
  const read = (): number | undefined =>
    cert === undefined ? undefined : Date.parse(new X509Certificate(readFileSync(cert)).validTo);
  let certificateEndsAtMs = read();
  measureRegularly(() => {
    const nowMs = Date.now();
    if (certificateEndsAtMs !== undefined)
      setGauge('HostTlsDaysLeft', HOST, Math.floor((certificateEndsAtMs - nowMs) / DAY_MS));
    if (data !== undefined) measureData(data, startedAtMs, nowMs);
  });
  return {
    // The one before is served on where this one cannot be read.
    renewCertificate() {
      try {
        certificateEndsAtMs = read();
      } catch {}
    },
  };
}

/** @example measureData('/var/lib/sinete', startedAtMs, Date.now()); */
export function measureData(data: string, startedAtMs: number, nowMs: number): void {
  const { bavail, bsize } = statfsSync(data);
  setGauge('HostDiskFree', HOST, bavail * bsize);
  const backedUpAtMs = lastBackupMs(data) ?? startedAtMs;
  setGauge('HostBackupAge', HOST, Math.max(0, nowMs - backedUpAtMs) / 1_000);
  const database = join(storesIn(data), 'store.db');
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  setGauge('HostStoreSize', HOST, sizeOf(database));
  setGauge('HostStoreLog', HOST, sizeOf(`${database}-wal`));
}
