import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { run } from './programs.ts';

/** A person of the sandbox with the certificate and the key of their file. */
export type Holder = {
  /** DER in base64. */
  readonly certificate: string;
  /** The RSA signature (PKCS #1) of data, of SHA-256 unless told otherwise, in base64. */
  readonly sign: (data: Buffer, digest?: string) => string;
};

/** Reads a holder's file with OpenSSL, as docs/sandbox.md shows it. */
export async function holder(folder: string, cpf: string, pin: string): Promise<Holder> {
  const open = (what: string) =>
    run(
      `openssl pkcs12 -in ${folder}/pki/holders/${cpf}.p12 -passin pass:${pin} ${what} | openssl ${what.includes('nokeys') ? 'x509' : 'pkey'}`,
    );
  const certificate = new X509Certificate(await open('-nokeys -clcerts'));
  const key: KeyObject = createPrivateKey(await open('-nocerts -nodes'));
  return {
    certificate: certificate.raw.toString('base64'),
    sign: (data, digest = 'sha256') => sign(digest, data, key).toString('base64'),
  };
}
