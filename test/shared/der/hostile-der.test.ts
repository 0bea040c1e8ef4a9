import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, test } from 'vitest';
import { HOSTILE } from './hostile-der.ts';

// Enough for the code itself and for structures as full as they may be. Ten times 100 KB hardly show in it; ten times
// 10 MB exceed it.
const HEAP_MB = 64;
const OURS = [
  'read',
  'CertificateMalformed',
  'CrlMalformed',
  'OcspMalformed',
  'CmsMalformed',
  'BrokenPkcs12',
];
const TOO_LARGE = 'UnsupportedPkcs12';

type Report = { readonly outcomes: Record<string, string[]>; readonly found: unknown };

describe('very many tiny elements', () => {
  let report: Report;

  beforeAll(async () => {
    const worker = new Worker(new URL('./hostile-der-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    report = await new Promise<Report>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    await worker.terminate();
  });

  test.each(Object.keys(HOSTILE))('take no memory in %s of 100 KB or 10 MB', (name) => {
    const [small, large] = report.outcomes[name] ?? [];
    expect(OURS).toContain(small);
    expect([...OURS, TOO_LARGE]).toContain(large);
  });

  test('of an honest list of a million are read one by one', () => {
    expect(report.found).toEqual({ revokedAtMs: 0, reason: 'unspecified' });
  });
});
