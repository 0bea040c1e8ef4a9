import { handler as approve } from '../../../../../functions/documents/endpoints/signing/approve-document.ts';
import { handler as approveByKey } from '../../../../../functions/documents/endpoints/signing/approve-document-by-key.ts';
import { handler as complete } from '../../../../../functions/documents/endpoints/signing/complete-signature.ts';
import { handler as completeByKey } from '../../../../../functions/documents/endpoints/signing/complete-signature-by-key.ts';
import { handler as createActionUrl } from '../../../../../functions/documents/endpoints/signing/create-action-url.ts';
import { handler as getContent } from '../../../../../functions/documents/endpoints/signing/get-action-content.ts';
import { handler as getDetails } from '../../../../../functions/documents/endpoints/signing/get-action-details.ts';
import { handler as refuse } from '../../../../../functions/documents/endpoints/signing/refuse-document.ts';
import { handler as refuseByKey } from '../../../../../functions/documents/endpoints/signing/refuse-document-by-key.ts';
import { handler as start } from '../../../../../functions/documents/endpoints/signing/start-signature.ts';
import { handler as startByKey } from '../../../../../functions/documents/endpoints/signing/start-signature-by-key.ts';
import type { Endpoint } from '../../../../../shared/http/endpoint.ts';
import type { SigningKey } from '../../../../../shared/signing/key.ts';
import { call } from '../../../../requests/http-event.ts';

export type StartResponse = {
  readonly success: boolean;
  readonly token: string;
  readonly toSignHash: string;
  readonly toSignData: string;
  readonly validationResults: {
    readonly isValid: boolean;
    readonly errors: readonly { readonly type: string }[];
  };
};

const ON_DOCUMENT = { start, complete, approve, refuse, 'action-url': createActionUrl };
const BY_KEY = { start: startByKey, complete: completeByKey, approve: approveByKey, refuse: refuseByKey };

/** Calls as an application makes them, with its key. */
export const asApplication =
  (apiKey: string) =>
  (operation: keyof typeof ON_DOCUMENT, { id }: { readonly id: string }, json: unknown) =>
    call(ON_DOCUMENT[operation], { params: { id }, headers: { 'X-API-Key': apiKey }, json });

/** The key and the ticket of an action URL. */
export function partsOf(url: string): { readonly key: string; readonly ticket: string } {
  const [, key = '', ticket = ''] = /\/key\/([^/]+)\/.*\?ticket=([^&]+)/.exec(url) ?? [];
  return { key, ticket };
}

/** Calls as the page at an action URL makes them. */
export const byKey = (operation: keyof typeof BY_KEY, key: string, json: unknown) =>
  call(BY_KEY[operation], { params: { key }, json });

const get =
  (handler: Endpoint) =>
  (key: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
    call(handler, { params: { key }, query, headers });
export const details = get(getDetails);
export const content = get(getContent);

export const certificateOf = ({ certificate }: SigningKey): string => certificate.der.toString('base64');

/** The signature of the holder's key over the response to a start. */
export const signatureBy = async (key: SigningKey, { toSignHash }: StartResponse): Promise<string> =>
  (await key.signHash('sha256', Buffer.from(toSignHash, 'base64'))).toString('base64');

/** Both steps as an application makes them. Answers the second response, or the first if it failed. */
export async function sign(
  apiKey: string,
  document: { readonly id: string },
  key: SigningKey,
  more: object = {},
) {
  const ask = asApplication(apiKey);
  const first = await ask('start', document, { certificate: certificateOf(key), ...more });
  const startSignature = first.json() as StartResponse;
  if (first.status !== 200 || !startSignature.success) return first;
  return ask('complete', document, {
    token: startSignature.token,
    signature: await signatureBy(key, startSignature),
  });
}

/** The first step alone. */
export async function started(
  apiKey: string,
  document: { readonly id: string },
  key: SigningKey,
  more: object = {},
): Promise<StartResponse> {
  const answer = await asApplication(apiKey)('start', document, { certificate: certificateOf(key), ...more });
  if (answer.status !== 200) throw new Error(`The start was answered ${answer.status}: ${answer.text}`);
  return answer.json() as StartResponse;
}
