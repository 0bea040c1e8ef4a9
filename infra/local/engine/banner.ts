import { SERVICES } from '../../../shared/settings/names.ts';

type Told = { url: string; dataDir: string; logPath: string; seconds: number };

const KEY = "-H 'X-API-Key: sandbox|sinete-local-key'";

/** What to try, once everything runs. */
export function banner({ url, dataDir, logPath, seconds }: Told): string {
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
    'Try:',
    `  curl ${url}/session/healthz`,
    `  curl ${KEY} '${url}/session/v1/sessions/status?sessionId=none'`,
    `  curl -d 'hello' ${url}/sandbox/receiver/mine`,
    '',
    `Data is in ${dataDir}, the functions' log in ${logPath}. Ctrl-C stops everything.`,
  ].join('\n');
}
