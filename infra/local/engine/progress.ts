import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { SERVICES } from '../../../shared/settings/names.ts';

export type Step = <T>(done: string, work: Promise<T>) => Promise<T>;

/**
 * Prints a line with the time when a step of the start is done. Steps may run side by side.
 * @example const step = stepPrinter(print); await step('Stores opened', startStores(…))
 */
export function stepPrinter(print: (line: string) => void): Step {
  const startedAt = performance.now();
  return async (done, work) => {
    const result = await work;
    print(`  ${done} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    return result;
  };
}

type Running = { url: string; dataDir: string; logPath: string; seconds: number };

/** The text at the end of a start: addresses, commands to try, and the address to open. */
export function banner({ url, dataDir, logPath, seconds }: Running): string {
  const width = Math.max(...SERVICES.map((service) => service.length));
  const bases = SERVICES.map((service) => `${url}/${service}`);
  const baseWidth = Math.max(...bases.map((base) => base.length));
  const rows = SERVICES.map((service) => {
    const base = `${url}/${service}`;
    return `  ${service.padEnd(width)}  ${base.padEnd(baseWidth)}  ${base}/scalar`;
  });
  return [
    '',
    `Sinete is ready, after ${seconds.toFixed(1)} s.`,
    '',
    `  ${'service'.padEnd(width)}  ${'base URL'.padEnd(baseWidth)}  reference page`,
    ...rows,
    '',
    'Try, in a second terminal:',
    `  curl ${url}/session/healthz`,
    `  curl -H 'X-API-Key: ${SANDBOX_KEY}' '${url}/session/v1/sessions/status?sessionId=none'`,
    `  curl -d 'hello' ${url}/sandbox/receiver/mine`,
    '',
    `Data is in ${dataDir}, the functions' log in ${logPath}. Ctrl-C stops everything.`,
    `Open ${url}`,
  ].join('\n');
}
