import { digestInfo, digestOid, hashOf } from '../../../shared/signing/digest.ts';

const RSA_WITH_SHA256 = '1.2.840.113549.1.1.11';

/** The nonce as signing components take it: the bytes, their hash, and what RSA pads. */
export function toSign(nonce: Buffer) {
  const hash = hashOf('sha256', nonce);
  return {
    toSignHash: { algorithm: 'SHA256', value: hash.toString('base64'), hexValue: hash.toString('hex') },
    toSign: {
      signatureAlgorithm: {
        algorithm: 'SHA256WithRSA',
        oid: RSA_WITH_SHA256,
        digestAlgorithm: 'SHA256',
        digestAlgorithmOid: digestOid('sha256'),
      },
      data: nonce.toString('base64'),
      hash: hash.toString('base64'),
      digestInfo: digestInfo('sha256', hash).toString('base64'),
    },
  } as const;
}
