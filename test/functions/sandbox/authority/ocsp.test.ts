import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { answerOcsp } from '../../../../functions/sandbox/authority/domain/answer-ocsp.ts';
import { findAuthority, signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { handler as post } from '../../../../functions/sandbox/authority/endpoints/answer-pki-ocsp.ts';
import { handler as get } from '../../../../functions/sandbox/authority/endpoints/answer-pki-ocsp-get.ts';
import { seedAuthority } from '../../../../infra/local/seed/authority.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { runs } from '../../../faults/fuzz.ts';
import { call } from '../../../requests/http-event.ts';
import { folder, hasOpenssl, openssl } from '../../../shared/signing/cms/openssl.ts';

await seedAuthority();
const authority = await findAuthority();
const files = folder();
for (const name of Object.keys(authority.members))
  files.file(`${name}.pem`, writePem('CERTIFICATE', signerOf(authority, name).certificate.der));
afterAll(() => files.remove());

const pem = (name: string) => files.path(`${name}.pem`);

const about = (name: string) => ['-cert', pem(name)];

/** A request as openssl writes it. */
function request(which: readonly string[], issuer = 'intermediate'): Buffer {
  const out = files.path('request.der');
  openssl('ocsp', '-issuer', pem(issuer), ...which, '-reqout', out);
  return readFileSync(out);
}

/** What openssl reads out of the answer to that request, its signature and its responder's right to sign checked. */
function judged(which: readonly string[], response: Uint8Array): string {
  const given = ['-reqin', files.path('request.der'), '-respin', files.file('response.der', response)];
  const trust = ['-CAfile', pem('root'), '-verify_other', pem('intermediate')];
  // Without a nonce of its own, it compares the answer's with the request's.
  const { says, stdout } = openssl(
    'ocsp',
    '-no_nonce',
    ...given,
    ...trust,
    '-issuer',
    pem('intermediate'),
    ...which,
  );
  return `${says}${stdout.toString()}`;
}

const asked = (body: Uint8Array) =>
  call(post, { path: '/sandbox/pki/ocsp', body, headers: { 'Content-Type': 'application/ocsp-request' } });

describe.runIf(hasOpenssl)('OCSP, judged by openssl', () => {
  test.each([
    ['a holder', () => about('52998224725'), /: good/],
    ['a revoked holder', () => about('56072386105'), /: revoked\s[\s\S]*Reason: keyCompromise/],
    ['the timestamp authority', () => about('tsa'), /: good/],
    ['a number that it never issued', () => ['-serial', '0x1234'], /: unknown/],
    ['a holder, hashed with SHA-256', () => ['-sha256', ...about('52998224725')], /: good/],
    ['two at once', () => [...about('52998224725'), ...about('56072386105')], /: good[\s\S]*: revoked/],
  ])(
    'tells the status of %s, signed by the responder that the authority appointed',
    async (_, of, status) => {
      const { status: code, headers, bytes } = await asked(request(of()));
      expect([code, headers['content-type']]).toEqual([200, 'application/ocsp-response']);
      const words = judged(of(), bytes);
      expect(words).toContain('Response verify OK');
      expect(words).toMatch(status);
      expect(words).not.toMatch(/warning|nonce/i);
    },
  );

  test('repeats a nonce, and has none where none came', async () => {
    const nonceIn = (kind: 'req' | 'resp', file: string): string | undefined => {
      const { stdout } = openssl('ocsp', `-${kind}in`, file, '-noverify', `-${kind}_text`);
      return /OCSP Nonce:\s+([0-9A-F]+)/.exec(stdout.toString())?.[1];
    };
    for (const option of ['-nonce', '-no_nonce']) {
      const { bytes } = await asked(request([option, ...about('52998224725')]));
      const sent = nonceIn('req', files.path('request.der'));
      expect(sent === undefined).toBe(option === '-no_nonce');
      expect(nonceIn('resp', files.file('response.der', bytes))).toBe(sent);
    }
  });

  test('answers a GET with the request in the address, its slashes encoded or not', async () => {
    const base64 = request(about('52998224725')).toString('base64');
    for (const given of [base64, encodeURIComponent(base64), base64.replace(/=+$/, '')]) {
      const { status, bytes } = await call(get, {
        path: `/sandbox/pki/ocsp/${given}`,
        params: { request: given },
      });
      expect(status).toBe(200);
      expect(judged(about('52998224725'), bytes)).toMatch(/Response verify OK[\s\S]*: good/);
    }
  });

  test('is not authorized to speak for another issuer, and says so', async () => {
    for (const issuer of ['root', 'untrusted']) {
      const { status, bytes } = await asked(request(['-serial', '0x1234'], issuer));
      expect(status).toBe(200);
      expect(judged(about('52998224725'), bytes)).toContain('unauthorized (6)');
    }
  });

  test('calls a request malformed that is none', async () => {
    request(about('52998224725'));
    for (const body of [Buffer.from('hello'), Buffer.from([0x30, 0]), Buffer.alloc(0)]) {
      const { status, bytes } = await asked(body);
      expect(status).toBe(200);
      expect(judged(about('52998224725'), bytes)).toContain('malformedrequest (1)');
    }
  });

  test('answers a changed request with an OCSP answer and never with a failure', () => {
    const whole = request(about('52998224725'));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
        const changed = Buffer.from(whole.subarray(0, Math.max(length, 1)));
        if (at < changed.length) changed[at] = byte;
        expect(answerOcsp(authority, changed, Date.now())[0]).toBe(0x30);
      }),
      { numRuns: runs(200) },
    );
  });
});

test('a request larger than any that means something is refused before it is read', async () => {
  const { status } = await asked(Buffer.alloc(100_000));
  expect(status).toBe(413);
});
