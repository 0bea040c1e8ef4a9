import {
  Batch,
  Compact,
  Credentials,
  Documents,
  Hub,
  Pki,
  Session,
} from '../../../clients/typescript/src/index.ts';
import { endpointFiles } from '../../../infra/build/function-files.ts';
import type { SampleRequest } from '../../../infra/runtime/events/sample-event.ts';
import { sampleOf } from '../../contract/samples.ts';

export const CLASSES = { Batch, Compact, Credentials, Documents, Hub, Pki, Session };
type ClassName = keyof typeof CLASSES;

/** A call of the client that says what the sample of an endpoint says. */
export type SampleCall = {
  readonly name: string;
  readonly service: ClassName;
  readonly operation: string;
  readonly key: string | undefined;
  readonly request: Readonly<Record<string, unknown>>;
};

// create-session: createSession
const operationOf = (name: string): string => name.replace(/-(.)/g, (_, next: string) => next.toUpperCase());

/** The calls for every endpoint that the client has an operation for. */
export function sampleCalls(): SampleCall[] {
  return endpointFiles().flatMap(({ service, name }) => {
    const own = (Object.keys(CLASSES) as ClassName[]).find((each) => each.toLowerCase() === service);
    const operation = operationOf(name);
    if (!own || !(operation in CLASSES[own].prototype)) return [];
    const sample = sampleOf(`${service}/${name}`);
    return [{ name: `${service}/${name}`, service: own, operation, ...callOf(sample) }];
  });
}

function callOf({ params = {}, query = {}, headers = {}, body, bodyBase64 }: SampleRequest) {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const type = lower['content-type'];
  const token = lower['x-signature-session-token'];
  const bytes =
    bodyBase64 === undefined && typeof body !== 'string'
      ? undefined
      : Buffer.from(bodyBase64 ?? String(body), bodyBase64 === undefined ? 'utf8' : 'base64');
  return {
    key: lower['x-api-key'],
    request: {
      ...params,
      ...query,
      ...(token !== undefined && { 'X-Signature-Session-Token': token }),
      ...(bytes ? { body: new Blob([bytes], { type: type ?? '' }) } : body !== undefined && { body }),
    },
  };
}
