import type { Certificate } from '../certificate/certificate.ts';
import type { Crl } from './crl/crl.ts';
import type { OcspResponse } from './ocsp/response.ts';

/** What was asked for, or the sentence that says why it is not there; both, when something older stands in for it. */
export type FetchResult<T> = { readonly found?: T | undefined; readonly problem?: string | undefined };

/** Where revocation data and issuers' certificates come from. Nothing that it gives is trusted before it is checked. */
export type RevocationSource = {
  /** The CRL that stands at the first of these addresses that answers. Kept only if it is authentic. */
  readonly crl: (ask: {
    readonly addresses: readonly string[];
    readonly isAuthentic: (crl: Crl) => boolean;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<FetchResult<Crl>>;
  readonly ocsp: (ask: {
    readonly addresses: readonly string[];
    readonly certificate: Certificate;
    readonly issuer: Certificate;
    readonly isAuthentic: (response: OcspResponse) => Promise<boolean>;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<FetchResult<OcspResponse>>;
  /** Certificates at the places where issuers publish theirs. */
  readonly issuers: (ask: {
    readonly addresses: readonly string[];
    readonly signal?: AbortSignal | undefined;
  }) => Promise<FetchResult<readonly Certificate[]>>;
};
