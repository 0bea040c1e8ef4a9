import type { Certificate } from '../certificate/certificate.ts';
import type { Crl } from './crl/crl.ts';
import type { OcspResponse } from './ocsp/response.ts';

/** The data, or the problem in a sentence; both when older data replaces data that could not be fetched. */
export type FetchResult<T> = { readonly found?: T | undefined; readonly problem?: string | undefined };

/** Fetches revocation data and issuers' certificates. The caller checks all of it before use. */
export type RevocationSource = {
  /** The CRL from the first address that answers. It is cached only if it is authentic. */
  readonly crl: (request: {
    readonly addresses: readonly string[];
    readonly isAuthentic: (crl: Crl) => boolean;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<FetchResult<Crl>>;
  readonly ocsp: (request: {
    readonly addresses: readonly string[];
    readonly certificate: Certificate;
    readonly issuer: Certificate;
    readonly isAuthentic: (response: OcspResponse) => Promise<boolean>;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<FetchResult<OcspResponse>>;
  /** The certificates at the caIssuers addresses (RFC 5280, 4.2.2.1). */
  readonly issuers: (request: {
    readonly addresses: readonly string[];
    readonly signal?: AbortSignal | undefined;
  }) => Promise<FetchResult<readonly Certificate[]>>;
};
