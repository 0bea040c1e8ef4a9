import { setTimeout as pause } from 'node:timers/promises';
import { cleanUp, startEngineProcess } from '../../infra/local/engine/engine-process.ts';
import { batchClient } from '../measure/batch-client.ts';
import { opensslPerSecond } from '../measure/openssl.ts';
import { rawPdf } from '../measure/raw-pdf.ts';

const MAX_CONCURRENCY = 8;
const CONNECTIONS = 10;
const FILES = 300;
const WARM_UP_FILES = 50;
const PDF_BYTES = 100 * 1024;
const OPENSSL_SECONDS = 3;
// Each look costs six calls of the store.
const LOOK_EVERY_MS = 250;

// Run by batch.ts in a process of its own.

export type EngineRun = { readonly files: number; readonly openssl: number };

/** Files a second from their upload to Completed on a running engine, and openssl's signatures a second. */
async function measureEngine(): Promise<EngineRun> {
  const engine = await startEngineProcess({
    env: {
      Log__Level: 'WARN',
      Pipeline__MaxConcurrency: String(MAX_CONCURRENCY),
      RateLimiting__Upload__PermitLimit: '1000000',
      Pipeline__PollIntervalSeconds: '2',
    },
  });
  await engine.ready();
  try {
    const client = batchClient(engine.url);
    const pdf = rawPdf(PDF_BYTES);
    let sent = 0;
    const send = async (count: number): Promise<number> => {
      const startedAt = performance.now();
      const end = sent + count;
      const connection = async (): Promise<void> => {
        while (sent < end) await client.upload(`bench-${++sent}.pdf`, [pdf]);
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, connection));
      while ((await client.countCompleted()) < end) await pause(LOOK_EVERY_MS);
      return (count * 1000) / (performance.now() - startedAt);
    };
    // Not between the two: it blocks this process, and connections that it keeps would be closed unseen.
    const before = opensslPerSecond(OPENSSL_SECONDS);
    await send(WARM_UP_FILES);
    const files = await send(FILES);
    return { files, openssl: (before + opensslPerSecond(OPENSSL_SECONDS)) / 2 };
  } finally {
    await cleanUp();
  }
}

process.send?.(await measureEngine(), () => process.exit(0));
