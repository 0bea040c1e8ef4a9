import { handler as deactivate } from '../../../functions/session/endpoints/deactivate-session.ts';
import { handler as info } from '../../../functions/session/endpoints/get-certificate-info.ts';
import { handler as fetchDocument } from '../../../functions/session/endpoints/get-document.ts';
import { handler as status } from '../../../functions/session/endpoints/get-status.ts';
import { handler as batch } from '../../../functions/session/endpoints/sign-batch.ts';
import { handler as sign } from '../../../functions/session/endpoints/sign-document.ts';
import { type Answered, call, lambdaContext } from '../../requests/http-event.ts';
import { headers } from './a-session.ts';

// As functions.yml gives the signing functions.
const context = () => lambdaContext(75_000);

export type File = { readonly name: string; readonly bytes: Uint8Array };
export type Form = readonly (readonly [string, string | File])[];

/** A form as clients send it, its parts in this order. */
async function encoded(form: Form): Promise<{ body: Buffer; contentType: string }> {
  const data = new FormData();
  for (const [name, value] of form)
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, new Blob([Buffer.from(value.bytes)], { type: 'application/pdf' }), value.name);
  const response = new Response(data);
  return {
    body: Buffer.from(await response.arrayBuffer()),
    contentType: response.headers.get('content-type') ?? '',
  };
}

async function post(handler: typeof sign, form: Form): Promise<Answered> {
  const { body, contentType } = await encoded(form);
  return call(handler, { headers: { ...headers, 'Content-Type': contentType }, body }, context());
}

export const signJson = (json: object, more: Record<string, string> = {}): Promise<Answered> =>
  call(sign, { headers: { ...headers, ...more }, json }, context());
export const signForm = (form: Form): Promise<Answered> => post(sign, form);
export const signBatch = (form: Form): Promise<Answered> => post(batch, form);

/** The usual request: a PDF in JSON. */
export const signPdf = (sessionId: string, pdf: Uint8Array, fileName = 'contrato.pdf'): Promise<Answered> =>
  signJson({ sessionId, document: Buffer.from(pdf).toString('base64'), fileName });

/** The same with an Idempotency-Key. */
export const signOnce = (sessionId: string, pdf: Uint8Array, key: string): Promise<Answered> =>
  signJson({ sessionId, document: Buffer.from(pdf).toString('base64') }, { 'Idempotency-Key': key });

export const batchOf = (sessionId: string, files: readonly File[]): Promise<Answered> =>
  signBatch([['sessionId', sessionId], ...files.map((file) => ['files', file] as const)]);

export const fetchSigned = (signatureId: string, key = headers['X-API-Key']): Promise<Answered> =>
  call(fetchDocument, { headers: { 'X-API-Key': key }, params: { signatureId } });

export const infoOf = (sessionId: string): Promise<Answered> => call(info, { headers, query: { sessionId } });
export const statusOf = (sessionId: string): Promise<Answered> =>
  call(status, { headers, query: { sessionId } });
export const endSession = (sessionId: string): Promise<Answered> =>
  call(deactivate, { headers, json: { sessionId } });

export const isActive = async (sessionId: string): Promise<boolean> =>
  ((await statusOf(sessionId)).json() as { active: boolean }).active;

/** What a refusal says, in one line to compare. */
export function refusal(answer: Answered): [number, string, string | undefined] {
  const { error } = answer.json() as { error: { code: string; details?: string } };
  return [answer.status, error.code, error.details];
}

/** The id that a 202 gives. */
export function signatureIdIn(answer: Answered): string {
  if (answer.status !== 202) throw new Error(`It was answered ${answer.status}: ${answer.text}`);
  return (answer.json() as { signatureId: string }).signatureId;
}
