import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { markBackup } from '../../../infra/host/backup/last-backup.ts';
import { measureData } from '../../../infra/host/measure.ts';
import { openStores } from '../../../shared/embedded/stores.ts';
import { countedSeries } from '../../../shared/metrics/count.ts';

const measured = (name: string) => countedSeries().find((series) => series.name === name)?.value;
const HOUR_MS = 3_600_000;

test('the age of a backup counts from the last one, and before the first one from the start of the host', async () => {
  const data = mkdtempSync(join(tmpdir(), 'sinete-measure-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  openStores({ folder: join(data, 'store') }).close();
  const nowMs = Date.parse('2026-11-19T12:00:00Z');
  measureData(data, nowMs - 3 * HOUR_MS, nowMs);
  expect(measured('HostBackupAge')).toBe(3 * 3_600);
  await markBackup(data, new Date(nowMs - HOUR_MS).toISOString());
  measureData(data, nowMs - 3 * HOUR_MS, nowMs);
  expect(measured('HostBackupAge')).toBe(3_600);
  expect(measured('HostStoreSize')).toBeGreaterThan(0);
  expect(measured('HostDiskFree')).toBeGreaterThan(0);
});
