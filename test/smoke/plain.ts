// Requests that leave nothing behind: what a gateway could get wrong, and each service's own style of answers.
import { readFileSync } from 'node:fs';
import { sampleEventPath } from '../../infra/invoke.ts';
import { type SampleRequest, toHttpEvent } from '../../infra/runtime/events/sample-event.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import type { Host } from './answer.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** For each service an operation that wants a key, and one that takes JSON. */
const KEYED = {
  session: ['/session/v1/sessions/status?sessionId=none', '/session/v1/sessions'],
  hub: ['/hub/api/sessions/services?identifier=52998224725', '/hub/api/sessions'],
  pki: ['/pki/api/signature-sessions/none', '/pki/Api/Authentications'],
  documents: ['/documents/api/documents', '/documents/api/uploads/bytes'],
  batch: ['/batch/api/profiles', '/batch/api/files/presigned'],
  compact: ['/compact/api/jobs', undefined],
  credentials: ['/credentials/api/degrees', '/credentials/api/degrees'],
} as const;

/** Samples of operations that read, refuse or compute: queries, path parameters, cookies, pages, forms, files, bytes. */
const SAMPLES = [
  ...['session/get-status', 'session/sign-batch', 'session/get-document', 'session/create-session'],
  ...['hub/list-services', 'hub/get-availability', 'hub/get-certificate', 'hub/sign-hash'],
  ...['pki/get-system-info', 'pki/start-authentication', 'pki/inspect-signature', 'pki/get-bio-page'],
  ...[
    'documents/create-documents',
    'documents/get-document',
    'documents/verify-by-code',
    'documents/verify-file',
  ],
  ...['documents/show-login', 'documents/get-embed-script', 'documents/show-console-page'],
  ...['batch/list-profiles', 'batch/get-job', 'batch/log-in', 'batch/set-culture', 'batch/export-jobs'],
  ...['compact/get-job', 'compact/get-liveness', 'compact/get-ready'],
  ...['credentials/get-degree', 'credentials/show-login'],
  ...['sandbox/get-home', 'sandbox/issue-pki-timestamp', 'sandbox/answer-pki-ocsp', 'sandbox/receive'],
  ...['sandbox/get-pki-file', 'sandbox/answer-biometrics', 'sandbox/list-provider-certificates'],
];

const work = async (calls: readonly (() => Promise<unknown>)[]): Promise<void> => {
  for (const call of calls) await call();
};

/** @example await playPlain(host, 'http://localhost:3200') */
export async function playPlain({ ask }: Host, url: string): Promise<void> {
  await Promise.all([
    ...SERVICES.map((service) => work(stylesOf(ask, service))),
    work(SAMPLES.map((name) => () => sendSample(ask, name, url))),
  ]);
}

function stylesOf(ask: Host['ask'], service: (typeof SERVICES)[number]): (() => Promise<unknown>)[] {
  const [read, write] = KEYED[service];
  const broken = {
    body: '{ broken',
    headers: { 'content-type': 'application/json' },
    expected: service === 'credentials' ? 422 : 400,
  };
  return [
    () => ask(`${service}: health`, `/${service}/healthz`, { key: null }),
    () => ask(`${service}: HEAD`, `/${service}/healthz`, { key: null, method: 'HEAD' }),
    () => ask(`${service}: contract`, `/${service}/openapi/v1.json`, { key: null }),
    () => ask(`${service}: reference`, `/${service}/scalar/v1`, { key: null }),
    () => ask(`${service}: no key`, read, { key: null, expected: 401 }),
    () => ask(`${service}: nothing there`, `/${service}/nothing/here`, { expected: 404 }),
    () => {
      const headers = { accept: BROWSER, 'accept-language': 'pt-BR' };
      return ask(`${service}: no page there`, `/${service}/nothing`, { expected: 404, key: null, headers });
    },
    () =>
      ask(`${service}: no such method`, `/${service}/openapi/v1.json`, { expected: 404, method: 'DELETE' }),
    ...(write ? [() => ask(`${service}: broken JSON`, write, broken)] : []),
  ];
}

/** Sends the sample of an operation, whose status it names. */
export function sendSample(ask: Host['ask'], name: string, url: string): Promise<unknown> {
  const text = readFileSync(sampleEventPath(name), 'utf8');
  const sample: SampleRequest = JSON.parse(
    text.replaceAll(/localhost(:|%3A)3000/gi, `localhost$1${new URL(url).port}`),
  );
  const { path, httpMethod, headers, body, isBase64Encoded } = toHttpEvent(sample);
  const { Host: _, ...sent } = headers as Record<string, string>;
  return ask(name, `${path}?${new URLSearchParams(sample.query)}`, {
    method: httpMethod,
    key: null,
    headers: sent,
    expected: sample.expectedStatus,
    ...(body && { body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') }),
  });
}
