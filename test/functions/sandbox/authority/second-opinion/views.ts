/** What both readers say of a certificate. Names are as RFC 4514 writes them, numbers and keys as hexadecimal. */
export type CertificateView = {
  readonly serial: string;
  readonly issuer: string;
  readonly subject: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly publicKey: string;
  readonly signatureAlgorithm: string;
  /** By OID. */
  readonly critical: readonly string[];
  readonly isAuthority: boolean;
  readonly pathLength: number | undefined;
  readonly keyUsage: readonly string[];
  readonly purposes: readonly string[];
  readonly policies: readonly string[];
  readonly altNames: readonly string[];
  readonly subjectKey: string;
  readonly authorityKey: string | undefined;
  readonly crls: readonly string[];
  readonly ocsp: readonly string[];
  readonly caIssuers: readonly string[];
  readonly isOcspNoCheck: boolean;
};

export type CrlView = {
  readonly issuer: string;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number | undefined;
  readonly number: bigint;
  readonly authorityKey: string;
  readonly signatureAlgorithm: string;
  /** In the order of the certificates that were asked about. */
  readonly revoked: readonly ({ readonly revokedAtMs: number; readonly reason: string } | undefined)[];
};

/** Not the reason of a revocation: jsrsasign does not read it. */
export type OcspView = {
  readonly responderKey: string;
  readonly producedAtMs: number;
  readonly signatureAlgorithm: string;
  readonly nonce: string | undefined;
  readonly certificates: readonly string[];
  readonly statuses: readonly {
    readonly hash: string;
    readonly issuerName: string;
    readonly issuerKey: string;
    readonly serial: string;
    readonly status: string;
    readonly revokedAtMs: number | undefined;
    readonly thisUpdateMs: number;
    readonly nextUpdateMs: number | undefined;
  }[];
};

export type TimestampView = {
  readonly policy: string;
  readonly hash: string;
  readonly digest: string;
  readonly serial: bigint;
  readonly timeMs: number;
  readonly accuracyMs: number | undefined;
  readonly nonce: string | undefined;
  readonly signer: string;
  readonly signerSerial: string;
  readonly signingCertificate: string;
  readonly messageDigest: string;
  readonly certificates: readonly string[];
};
