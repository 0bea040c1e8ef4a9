import { type Answer, type Cookie, json } from '../http/response/answer.ts';
import type { BeginResult } from '../hub/cloud.ts';
import type { CloudState } from '../hub/holder.ts';
import type { Certificate } from '../pki/certificate/certificate.ts';
import { displayNameOf } from '../pki/findings/display.ts';
import { icpBrasilIdentity } from '../pki/icp-brasil/icp-brasil.ts';
import type { ShownCertificate, VisitBegun, WayLook, WaySigned } from './contract.ts';

type WithCookies<T> = T & { readonly cookies?: readonly Cookie[] };

/** The answer to the begin of a visit to a provider. */
export function visitAnswer({ cookies = [], ...begun }: WithCookies<BeginResult>): Answer {
  const found = begun.outcome === 'begun' ? begun.providers : [];
  const providers = found.map(({ name, authUrl: address }) => ({ name, address }));
  return json({ state: begun.outcome, providers } satisfies VisitBegun, { cookies });
}

type Look = { readonly state: WayLook['state']; readonly certificates: readonly Certificate[] };

/** The answer to how a page stands with a certificate that is not a file. */
export const lookAnswer = ({ state, certificates, cookies = [] }: WithCookies<Look>): Answer =>
  json({ state, certificates: certificates.map(showCertificate) } satisfies WayLook, { cookies });

type CloudSigned =
  | {
      readonly state: 'signed';
      readonly result: Pick<WaySigned, 'errors' | 'proof'> & { readonly isSigned: boolean };
    }
  | { readonly state: Exclude<CloudState, 'ready'> };

/** The answer to a signature in the cloud. `following` documents wait for one after this. */
export function signedAnswer(
  { cookies = [], ...signed }: WithCookies<CloudSigned>,
  following: number,
): Answer {
  const { isSigned, ...result } = signed.state === 'signed' ? signed.result : { isSigned: false, errors: [] };
  const state = signed.state === 'signed' && !isSigned ? 'refused' : signed.state;
  const left = isSigned ? following : following + 1;
  return json({ ...result, state, left } satisfies WaySigned, { cookies });
}

/** @example showCertificate(certificate).holder // 'ANA SOUZA' */
function showCertificate(certificate: Certificate): ShownCertificate {
  const { sha256, subject, issuer, notAfterMs } = certificate;
  const { personName, companyName, cnpj, holder } = icpBrasilIdentity(certificate);
  const name = displayNameOf(subject);
  return {
    sha256,
    holder: personName ?? name,
    company: holder === 'company' ? { name: companyName ?? name, cnpj: cnpj ?? '' } : null,
    issuer: displayNameOf(issuer),
    validUntil: new Date(notAfterMs).toISOString(),
  };
}
