import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { answerOcsp } from '../../../../../functions/sandbox/authority/domain/answer-ocsp.ts';
import { findAuthority, signerOf } from '../../../../../functions/sandbox/authority/domain/authority.ts';
import { PLANS } from '../../../../../functions/sandbox/authority/domain/plan.ts';
import { readPublishedFile } from '../../../../../functions/sandbox/authority/domain/published.ts';
import { stampTime } from '../../../../../functions/sandbox/authority/domain/stamp-time.ts';
import { seedAuthority } from '../../../../../infra/local/seed/authority.ts';
import { integer } from '../../../../../shared/der/write.ts';
import { ocspRequest } from '../../../../../shared/pki/revocation/ocsp/request.ts';
import { hashOf } from '../../../../../shared/signing/digest.ts';
import { writeRequest } from '../../../../../shared/signing/timestamp/request.ts';
import { viewOfCertificate, viewOfCrl, viewOfOcsp, viewOfTimestamp } from './ours.ts';
import { readCertificate, readCrl, readOcsp, readTimestamp } from './read.ts';

// PKI.js issues and we read. Where both have the same idea of a field and it is wrong, neither tells: jsrsasign, a third
// implementation, reads the same bytes.

await seedAuthority();
const authority = await findAuthority();
const NOW_MS = Date.UTC(2026, 10, 19, 12, 30, 15, 250);
const certificateOf = (name: string) => signerOf(authority, name).certificate;
const names = PLANS.map(({ name }) => name);
const REVOKED = '56072386105';

describe('jsrsasign reads as we do', () => {
  test.each(names)('the certificate %s', (name) => {
    const { der } = certificateOf(name);
    const read = readCertificate(der);
    expect(viewOfCertificate(der)).toEqual(read);
    expect(read.subject).toMatch(/^CN=.+,O=Sinete Sandbox,C=BR$/);
    expect(read.serial).toMatch(/^[4-7][0-9a-f]{31}$/);
  });

  test.each(['root', 'intermediate', 'untrusted'])('the list of %s', (name) => {
    const { bytes } = readPublishedFile(authority, `${name}.crl`, NOW_MS);
    const certificates = names.map(certificateOf);
    const serials = certificates.map(({ serialHex }) => serialHex);
    const read = readCrl(bytes, serials);
    expect(viewOfCrl(bytes, certificates)).toEqual(read);
    expect(read.revoked.filter(Boolean)).toHaveLength(name === 'intermediate' ? 1 : 0);
  });

  test.each([
    ['52998224725', 'good'],
    [REVOKED, 'revoked'],
    ['87378011126', 'unknown'], // of another authority
  ])('the OCSP answer about %s, which is %s', (name, status) => {
    const request = ocspRequest(certificateOf(name), certificateOf('intermediate'), randomBytes(16));
    const answer = answerOcsp(authority, request, NOW_MS);
    const read = readOcsp(answer);
    expect(viewOfOcsp(answer)).toEqual(read);
    expect(read.statuses.map((each) => each.status)).toEqual([status]);
    expect(read.nonce).toMatch(/^[0-9a-f]{32}$/);
  });

  test.each(['sha256', 'sha384', 'sha512'] as const)('a timestamp over a %s hash', async (digest) => {
    const nonce = integer(randomBytes(16));
    const request = writeRequest({ digest, hash: hashOf(digest, Buffer.from('stamped')), nonce });
    const reply = await stampTime(authority, request, NOW_MS);
    const read = readTimestamp(reply);
    expect(viewOfTimestamp(reply)).toEqual(read);
    expect(read.certificates).toHaveLength(2);
    expect(read.timeMs).toBe(Date.UTC(2026, 10, 19, 12, 30, 15));
  });
});

test('a field that differs is seen', () => {
  const [one, other] = ['52998224725', REVOKED].map((name) => certificateOf(name).der);
  if (!one || !other) throw new Error('The sandbox has no such holders.');
  expect(viewOfCertificate(one)).not.toEqual(readCertificate(other));
});
