import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { causeOf } from '../../shared/command-line/reason.ts';

/** A call of each service that needs a key: without one it must be refused. */
const CLOSED: Readonly<Record<string, string>> = {
  session: '/session/v1/sessions/status?sessionId=x',
  hub: '/hub/api/sessions/custom-state?session=x',
  pki: '/pki/Api/Authentication',
  batch: '/batch/api/jobs',
  compact: '/compact/api/jobs',
  documents: '/documents/api/documents',
  credentials: '/credentials/api/degrees',
};

// A first call starts the function.
const ANSWER_WITHIN_MS = 30_000;

/**
 * What is wrong with a service that was just deployed, a line for each finding: it must answer, have the version of this
 * repository, and refuse a caller without a key.
 * @example await smokeTest('hub', 'https://a1b2c3.execute-api.sa-east-1.amazonaws.com/prod')
 */
export async function smokeTest(service: string, url: string): Promise<string[]> {
  const get = async (path: string): Promise<Response | string> => {
    try {
      return await fetch(`${url}${path}`, {
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        redirect: 'manual',
      });
    } catch (error) {
      return causeOf(error);
    }
  };
  const expectStatus = async (path: string, status: number): Promise<string[]> => {
    const answer = await get(path);
    if (typeof answer === 'string') return [`GET ${url}${path} was not answered: ${answer}`];
    await answer.body?.cancel();
    return answer.status === status
      ? []
      : [`GET ${url}${path} was answered with ${answer.status}, and must be ${status}.`];
  };
  return [
    ...(await expectStatus(`/${service}/healthz`, 200)),
    ...(await versionProblems(service, await get(`/${service}/openapi/v1.json`))),
    ...(await expectStatus(CLOSED[service] ?? '', 401)),
  ];
}

/** The contract may be hidden by a setting: then the version is not known. */
async function versionProblems(service: string, answer: Response | string): Promise<string[]> {
  if (typeof answer === 'string' || answer.status !== 200) return [];
  const { info } = (await answer.json()) as { info?: { version?: string } };
  const own = JSON.parse(
    readFileSync(join(import.meta.dirname, `../../functions/${service}/openapi.json`), 'utf8'),
  ).info.version;
  return info?.version === own ? [] : [`${service} has version ${info?.version}, and ${own} was deployed.`];
}
