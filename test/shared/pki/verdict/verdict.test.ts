import { describe, expect, test } from 'vitest';
import {
  authorityInfoAccessOf,
  keyUsageOf,
} from '../../../../functions/sandbox/authority/domain/issuing/extensions.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { allErrors, type ValidationResults } from '../../../../shared/pki/findings/validation-results.ts';
import { parseOcspResponse } from '../../../../shared/pki/revocation/ocsp/response.ts';
import type { RevocationSource } from '../../../../shared/pki/revocation/source.ts';
import type { Judgement } from '../../../../shared/pki/verdict/judgement.ts';
import { createJudge, judge } from '../../../../shared/pki/verdict/verdict.ts';
import { below, type Holder, testKey } from '../../../certificates/pki.ts';
import { authority, authorityExtensions, holder, named, root } from '../path/chain.ts';
import { HOUR_MS, makeCrl, NOW_MS } from '../revocation/make-crl.ts';
import { makeOcsp, type OcspShape } from '../revocation/make-ocsp.ts';

const issuer = authority('Issuer');
const subject = holder('Holder', {}, issuer);
const lists = [makeCrl(root()), makeCrl(issuer)];

const judged = (of: Holder, more: Partial<Judgement> = {}) =>
  judge(of.certificate, {
    anchors: [root().certificate],
    intermediates: of.chain,
    crls: lists,
    atMs: NOW_MS,
    now: () => NOW_MS,
    ...more,
  });
const errors = (results: ValidationResults): string[] => allErrors(results).map(({ type }) => type);

describe('the verdict', () => {
  test('is ACTIVE when chain, validity and revocation are good, and shows what it rests on', async () => {
    const { status, results, path, evidence } = await judged(subject);
    expect(status).toBe('ACTIVE');
    expect(results.errors).toEqual([]);
    expect(path).toEqual([subject.certificate, issuer.certificate, root().certificate]);
    expect(evidence.crls).toEqual(lists);
    const [above] = results.passedChecks.filter(({ type }) => type === 'CertificateIssuerValid');
    expect(above?.message).toBe('The issuer, Issuer, is valid.');
    expect(above?.innerValidationResults?.passedChecks.map(({ message }) => message)).toContain(
      'The certificate of Issuer is not revoked.',
    );
  });

  test('is EXPIRED after the end, with the dates in words', async () => {
    const { status, results } = await judged(holder('Old', { notAfterMs: NOW_MS - HOUR_MS }, issuer));
    expect(status).toBe('EXPIRED');
    expect(results.errors).toEqual([
      {
        type: 'CertificateExpired',
        message:
          'The certificate of Old expired on 2026-05-31 23:00:00 UTC; it is judged at 2026-06-01 00:00:00 UTC.',
        detail: null,
        innerValidationResults: null,
      },
    ]);
  });

  test('of one time is not that of another', async () => {
    const old = holder('Old', { notAfterMs: NOW_MS + HOUR_MS }, issuer);
    expect((await judged(old)).status).toBe('ACTIVE');
    expect((await judged(old, { atMs: NOW_MS + 2 * HOUR_MS, now: () => NOW_MS + 2 * HOUR_MS })).status).toBe(
      'EXPIRED',
    );
  });

  test('is UNTRUSTED before the certificate begins', async () => {
    const { status, results } = await judged(holder('Early', { notBeforeMs: NOW_MS + HOUR_MS }, issuer));
    expect([status, ...errors(results)]).toEqual(['UNTRUSTED', 'CertificateNotYetValid']);
  });

  test('is REVOKED when a list says so, with date and reason', async () => {
    const revoked = [{ certificate: subject.certificate, reason: 'keyCompromise' }] as const;
    const { status, results } = await judged(subject, {
      crls: [makeCrl(root()), makeCrl(issuer, { revoked })],
    });
    expect(status).toBe('REVOKED');
    expect(results.errors).toEqual([
      {
        type: 'CertificateRevoked',
        message: 'The certificate of Holder was revoked on 2026-05-31 22:00:00 UTC.',
        detail: 'By CRL, reason keyCompromise.',
        innerValidationResults: null,
      },
    ]);
  });

  test('is UNTRUSTED when the chain ends at a root that nobody trusts', async () => {
    const { status, results, path } = await judged(subject, {
      anchors: [authority('Elsewhere').certificate],
    });
    expect(status).toBe('UNTRUSTED');
    expect(errors(results)).toEqual([
      'CertificateIssuerInvalid',
      'CertificateIssuerInvalid',
      'CertificateChainRootNotTrusted',
    ]);
    expect(path).toHaveLength(3);
  });

  test('is UNTRUSTED when an issuer is nowhere to be found', async () => {
    const { status, results } = await judged(subject, { intermediates: [] });
    expect([status, ...errors(results)]).toEqual(['UNTRUSTED', 'CertificateIssuerNotFound']);
    expect(results.errors[0]?.message).toBe(
      'The certificate of Issuer, who issued that of Holder, is not at hand.',
    );
  });

  test('is STALE when nothing tells of revocation, unless the caller bears that', async () => {
    const { status, results } = await judged(subject, { crls: [] });
    expect([status, ...errors(results)]).toEqual([
      'STALE',
      'CertificateRevocationStatusUnknown',
      'CertificateIssuerInvalid',
      'CertificateRevocationStatusUnknown',
    ]);
    const borne = await judged(subject, { crls: [], ignoreRevocationStatusUnknown: true });
    expect(borne.status).toBe('ACTIVE');
    expect(borne.results.warnings.map(({ type }) => type)).toEqual(['CertificateRevocationStatusUnknown']);
  });

  test('is REVOKED whatever the caller bears', async () => {
    const crls = [makeCrl(issuer, { revoked: [{ certificate: subject.certificate }] })];
    expect((await judged(subject, { crls, ignoreRevocationStatusUnknown: true })).status).toBe('REVOKED');
  });

  test('asks for no revocation when the caller skips it', async () =>
    expect((await judged(subject, { crls: [], revocation: 'skip' })).status).toBe('ACTIVE'));

  test('is that of an anchor itself when it is one', async () => {
    expect((await judged(root())).status).toBe('ACTIVE');
    expect((await judged(root(), { atMs: root().certificate.notAfterMs + 1 })).status).toBe('EXPIRED');
  });

  test('may be had as a judge that verifiers take', async () => {
    const judgeOf = createJudge({ anchors: [root().certificate], now: () => NOW_MS });
    expect((await judgeOf(subject.certificate, subject.chain, NOW_MS, { crls: lists })).status).toBe(
      'ACTIVE',
    );
    expect((await judgeOf(subject.certificate, [], NOW_MS)).status).toBe('UNTRUSTED');
  });
});

describe('with several paths', () => {
  const old = authority('Crossed', { keyName: 'crossed', extensions: authorityExtensions() });
  const bridge = authority('Bridge');
  const crossed = authority('Crossed', { keyName: 'crossed' }, bridge);
  const of = holder('Holder of two', {}, old);
  const intermediates = [old, bridge, crossed].map(({ certificate }) => certificate);
  const byOld = makeCrl(old);

  test('one that is revoked leaves the other', async () => {
    const crls = [makeCrl(root(), { revoked: [{ certificate: old.certificate }] }), makeCrl(bridge), byOld];
    const { status, path } = await judged(of, { intermediates, crls });
    expect(status).toBe('ACTIVE');
    expect(path).toContain(bridge.certificate);
  });

  test('a holder that is revoked stays so', async () => {
    const revoked = [{ certificate: of.certificate }];
    const crls = [makeCrl(root()), makeCrl(bridge), makeCrl(old, { revoked })];
    expect((await judged(of, { intermediates, crls, ignoreRevocationStatusUnknown: true })).status).toBe(
      'REVOKED',
    );
  });

  test('a holder that is revoked stays so, though a path that cannot tell is borne', async () => {
    // The path over the bridge comes first, and there the authority has no cRLSign.
    const extensions = [...authorityExtensions().slice(0, 1), keyUsageOf(['keyCertSign'])];
    const mute = authority(
      'Crossed',
      { keyName: 'crossed', extensions, notAfterMs: Date.UTC(2045, 0, 1) },
      bridge,
    );
    const crls = [
      makeCrl(root()),
      makeCrl(bridge),
      makeCrl(old, { revoked: [{ certificate: of.certificate }] }),
    ];
    const ways = [mute, bridge].map(({ certificate }) => certificate);
    const borne = { crls, ignoreRevocationStatusUnknown: true };
    expect((await judged(of, { ...borne, intermediates: ways })).status).toBe('ACTIVE');
    expect((await judged(of, { ...borne, intermediates: [...ways, old.certificate] })).status).toBe(
      'REVOKED',
    );
  });

  test('all failures are told when none holds', async () => {
    const revoked = [{ certificate: old.certificate }, { certificate: bridge.certificate }];
    const { status, results } = await judged(of, {
      intermediates,
      crls: [makeCrl(root(), { revoked }), byOld],
    });
    expect(status).toBe('REVOKED');
    const [other, ...more] = results.warnings;
    expect(more).toEqual([]);
    expect(other?.message).toContain('Another path, by way of');
    expect(other?.innerValidationResults && errors(other.innerValidationResults)).toContain(
      'CertificateRevoked',
    );
  });
});

describe('data that came along', () => {
  const extensions = [authorityInfoAccessOf({ ocsp: ['http://ca.example/ocsp'] })];
  const of = holder('Asked for', { extensions }, issuer);
  const revoked = { revokedAtMs: NOW_MS - HOUR_MS / 2, reason: 'keyCompromise' } as const;
  const answering = (status: OcspShape['status'] | 'nothing') => {
    const shape = { certificate: of.certificate, issuer: issuer.certificate, signer: issuer };
    const asked: string[] = [];
    const nothing = async () => ({ problem: 'The host is away.' });
    const online: RevocationSource = {
      crl: nothing,
      issuers: nothing,
      ocsp: async ({ addresses }) => {
        asked.push(...addresses);
        if (status === 'nothing') return nothing();
        return { found: parseOcspResponse(makeOcsp({ ...shape, ...(status && { status }) })) };
      },
    };
    return { online, asked };
  };

  test('and is older than the time of judgement does not keep a revocation from being heard', async () => {
    const { online } = answering(revoked);
    expect((await judged(of)).status).toBe('ACTIVE');
    expect((await judged(of, { source: online })).status).toBe('REVOKED');
  });

  test('and is older counts where nothing newer can be had', async () => {
    const { online, asked } = answering('nothing');
    expect((await judged(of, { source: online })).status).toBe('ACTIVE');
    expect(asked).toHaveLength(1);
  });

  test('and is newer settles the status, and nobody is asked', async () => {
    const { online, asked } = answering(revoked);
    const atMs = NOW_MS - 2 * HOUR_MS;
    expect((await judged(of, { source: online, atMs })).status).toBe('ACTIVE');
    expect(asked).toEqual([]);
  });
});

describe('an issuer that is not at hand', () => {
  const published = 'http://ca.example/issuer.p7b';
  const of = below(issuer, testKey('p256', 'published'), () => ({
    subject: named('Published'),
    extensions: [authorityInfoAccessOf({ caIssuers: [published] })],
  }));
  const source = (found: readonly Certificate[]): RevocationSource & { asked: string[] } => {
    const asked: string[] = [];
    const nothing = async () => ({ problem: 'The host is away.' });
    return {
      asked,
      crl: nothing,
      ocsp: nothing,
      issuers: async ({ addresses }) => {
        asked.push(...addresses);
        return { found };
      },
    };
  };

  test('is fetched from where the certificate says', async () => {
    const online = source([issuer.certificate]);
    const { status, path } = await judged(of, { intermediates: [], source: online });
    expect(status).toBe('ACTIVE');
    expect(online.asked).toEqual([published]);
    expect(path).toHaveLength(3);
  });

  test('is not asked for twice when it is not there', async () => {
    const online = source([]);
    expect((await judged(of, { intermediates: [], source: online })).status).toBe('UNTRUSTED');
    expect(online.asked).toHaveLength(1);
  });

  test('is out of reach when its address gives nothing, which is not the same as an untrusted one', async () => {
    const online = { ...source([]), issuers: async () => ({ problem: 'The host x did not answer.' }) };
    const { isIssuerOutOfReach, results } = await judged(of, { intermediates: [], source: online });
    expect(isIssuerOutOfReach).toBe(true);
    expect(results.errors[0]?.message).toMatch(/is not at hand\. The host x did not answer\.$/);
    const foreign = await judged(of, { anchors: [authority('Elsewhere').certificate], source: online });
    expect([foreign.status, foreign.isIssuerOutOfReach]).toEqual(['UNTRUSTED', false]);
    const nowhere = await judged(subject, { intermediates: [], source: online });
    expect(nowhere.isIssuerOutOfReach).toBe(false);
  });

  test('is not fetched when a path is good already', async () => {
    const online = source([]);
    expect((await judged(of, { source: online })).status).toBe('ACTIVE');
    expect(online.asked).toEqual([]);
  });
});
