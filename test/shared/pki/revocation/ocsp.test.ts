import type { Extension } from 'pkijs';
import { describe, expect, test } from 'vitest';
import {
  crlDistributionPointsOf,
  extendedKeyUsageOf,
  keyUsageOf,
  ocspNoCheckOf,
} from '../../../../functions/sandbox/authority/domain/issuing/extensions.ts';
import { issueOcspRefusal } from '../../../../functions/sandbox/authority/domain/issuing/ocsp.ts';
import { utf8String } from '../../../../shared/der/write.ts';
import type { KeyUsage } from '../../../../shared/pki/extensions/extensions.ts';
import type { Judgement } from '../../../../shared/pki/verdict/judgement.ts';
import { judge } from '../../../../shared/pki/verdict/verdict.ts';
import { extension } from '../../../certificates/odd-certificates.ts';
import type { Holder } from '../../../certificates/pki.ts';
import { authority, holder, root } from '../path/chain.ts';
import { type CrlShape, HOUR_MS, makeCrl, NOW_MS, scope } from './make-crl.ts';
import { makeOcsp, type OcspShape } from './make-ocsp.ts';

const issuer = authority('Issuer');
const subject = holder('Holder', {}, issuer);
const responder = holder(
  'Responder',
  { extensions: [extendedKeyUsageOf(['ocspSigning']), ocspNoCheckOf()] },
  issuer,
);
const rootList = makeCrl(root());

const answer = (shape: Partial<OcspShape> = {}): Buffer =>
  makeOcsp({ certificate: subject.certificate, issuer: issuer.certificate, signer: responder, ...shape });

const judgeBy = (ocspResponses: readonly Buffer[], more: Partial<Judgement> = {}) =>
  judge(subject.certificate, {
    anchors: [root().certificate],
    intermediates: subject.chain,
    crls: [rootList],
    ocspResponses,
    atMs: NOW_MS,
    now: () => NOW_MS,
    ...more,
  });
const statusBy = async (...given: Parameters<typeof judgeBy>) => (await judgeBy(...given)).status;

const delegate = (name: string, extensions: readonly Extension[], by: Holder = issuer): Holder =>
  holder(name, { extensions }, by);
const REVOKED = { revokedAtMs: NOW_MS - HOUR_MS, reason: 'keyCompromise' } as const;

describe('an OCSP response', () => {
  test('makes a certificate ACTIVE, REVOKED, or leaves it unknown', async () => {
    expect(await statusBy([answer()])).toBe('ACTIVE');
    expect(await statusBy([answer({ status: REVOKED })])).toBe('REVOKED');
    expect(await statusBy([answer({ status: 'unknown' })])).toBe('STALE');
  });

  test('may name its responder and its hashes in any of the ways there are', async () => {
    expect(await statusBy([answer({ responderBy: 'key' })])).toBe('ACTIVE');
    expect(await statusBy([answer({ hash: 'sha256' })])).toBe('ACTIVE');
  });

  test('may be signed by the issuer itself', async () => {
    expect(await statusBy([answer({ signer: issuer, withCertificate: false })])).toBe('ACTIVE');
    expect(await statusBy([answer({ signer: issuer, responderBy: 'key' })])).toBe('ACTIVE');
  });

  test('about another certificate says nothing', async () => {
    const other = holder('Other', {}, issuer);
    expect(await statusBy([answer({ certificate: other.certificate })])).toBe('STALE');
    const stranger = authority('Stranger', { keyName: 'Issuer' });
    expect(await statusBy([answer({ issuer: stranger.certificate })])).toBe('STALE');
    const namesake = authority('Issuer', { keyName: 'another' });
    expect(await statusBy([answer({ issuer: namesake.certificate })])).toBe('STALE');
  });

  test('that revokes is heard over a list that does not, and the other way round', async () => {
    const lists = { crls: [rootList, makeCrl(issuer)] };
    expect(await statusBy([answer({ status: REVOKED })], lists)).toBe('REVOKED');
    const listed = { crls: [rootList, makeCrl(issuer, { revoked: [{ certificate: subject.certificate }] })] };
    expect(await statusBy([answer()], listed)).toBe('REVOKED');
  });

  test('tells of a revocation from its date on', async () => {
    const later = { revokedAtMs: NOW_MS, reason: 'superseded' } as const;
    expect(await statusBy([answer({ status: later })])).toBe('REVOKED');
    expect(await statusBy([answer({ status: later })], { atMs: NOW_MS - 1 })).toBe('ACTIVE');
  });

  test('with a critical extension that is unknown says nothing', async () => {
    expect(await statusBy([answer({ extensions: [extension('1.2.3', utf8String('x'), true)] })])).toBe(
      'STALE',
    );
  });

  test('that is a refusal, or nonsense, is told', async () => {
    const { status, results } = await judgeBy([issueOcspRefusal('tryLater'), Buffer.from('no response')]);
    expect(status).toBe('STALE');
    const messages = results.warnings.map(({ message }) => message);
    expect(messages[0]).toBe('The OCSP responder gives no status (tryLater).');
    expect(messages[1]).toContain('cannot be read');
  });
});

describe('the age of an OCSP response', () => {
  const past = { thisUpdateMs: NOW_MS - 10 * HOUR_MS, nextUpdateMs: NOW_MS - HOUR_MS };

  test('past its time makes it count within the grace only', async () => {
    expect(await statusBy([answer(past)])).toBe('STALE');
    expect(await statusBy([answer(past)], { graceMs: HOUR_MS })).toBe('ACTIVE');
  });

  test('does not undo a revocation, but one that can be lifted', async () => {
    expect(await statusBy([answer({ ...past, status: REVOKED })])).toBe('REVOKED');
    expect(await statusBy([answer({ ...past, status: { ...REVOKED, reason: 'certificateHold' } })])).toBe(
      'STALE',
    );
  });

  test('in the future makes it no evidence', async () =>
    expect(await statusBy([answer({ thisUpdateMs: NOW_MS + HOUR_MS })])).toBe('STALE'));

  test('with no next update lasts a day', async () => {
    expect(await statusBy([answer({ nextUpdateMs: 'none' })])).toBe('ACTIVE');
    expect(await statusBy([answer({ nextUpdateMs: 'none', thisUpdateMs: NOW_MS - 25 * HOUR_MS })])).toBe(
      'STALE',
    );
  });
});

describe('a responder', () => {
  const signedBy = (signer: Holder, more: Partial<OcspShape> = {}) => statusBy([answer({ signer, ...more })]);

  test('without the purpose in its certificate is none', async () => {
    expect(await signedBy(delegate('No Purpose', [ocspNoCheckOf()]))).toBe('STALE');
    expect(await signedBy(delegate('Other Purpose', [extendedKeyUsageOf(['any', 'clientAuth'])]))).toBe(
      'STALE',
    );
  });

  test('whose key is for other uses than signatures is none', async () => {
    const by = (...usages: KeyUsage[]) =>
      signedBy(
        delegate(`For ${usages}`, [extendedKeyUsageOf(['ocspSigning']), ocspNoCheckOf(), keyUsageOf(usages)]),
      );
    expect(await by('keyEncipherment')).toBe('STALE');
    expect(await by('digitalSignature')).toBe('ACTIVE');
  });

  test('of another issuer is none, even of one higher up', async () => {
    const purpose = [extendedKeyUsageOf(['ocspSigning']), ocspNoCheckOf()];
    expect(await signedBy(delegate('Of Another', purpose, authority('Another')))).toBe('STALE');
    expect(await signedBy(delegate('Of The Root', purpose, root()))).toBe('STALE');
  });

  test('that did not sign what it says is none', async () => {
    const key = authority('Another').privateKey;
    expect(await signedBy({ ...responder, privateKey: key })).toBe('STALE');
    expect(await signedBy(responder, { withCertificate: false })).toBe('STALE');
  });

  test('whose own certificate was not valid when it answered is none', async () => {
    const shape = {
      extensions: [extendedKeyUsageOf(['ocspSigning']), ocspNoCheckOf()],
      notAfterMs: NOW_MS - 2 * HOUR_MS,
    };
    expect(await signedBy(holder('Late', shape, issuer))).toBe('STALE');
    expect(await signedBy(holder('Late', shape, issuer), { producedAtMs: NOW_MS - 2 * HOUR_MS })).toBe(
      'ACTIVE',
    );
  });

  test('that names where its own status stands must have a good one', async () => {
    const address = 'http://crl.example/responders.crl';
    const checked = delegate('Checked', [
      extendedKeyUsageOf(['ocspSigning']),
      crlDistributionPointsOf([address]),
    ]);
    const response = answer({ signer: checked });
    // A CRL of this distribution point only, which does not cover the holder.
    const listOf = (revoked: CrlShape['revoked'] = []) =>
      makeCrl(issuer, { revoked, issuingPoint: scope({ address }) });
    expect(await statusBy([response])).toBe('STALE');
    expect(await statusBy([response], { crls: [rootList, listOf()] })).toBe('ACTIVE');
    const revoked = [{ certificate: checked.certificate }];
    expect(await statusBy([response], { crls: [rootList, listOf(revoked)] })).toBe('STALE');
  });

  test('is not asked to vouch for itself', async () => {
    const extensions = [
      extendedKeyUsageOf(['ocspSigning']),
      crlDistributionPointsOf(['http://crl.example/i.crl']),
    ];
    const checked = delegate('Self', extensions);
    const own = answer({ signer: checked, certificate: checked.certificate });
    const { status, results } = await judgeBy([answer({ signer: checked }), own]);
    expect(status).toBe('STALE');
    expect(JSON.stringify(results)).toContain('is unknown');
    const { results: itself } = await judge(checked.certificate, {
      anchors: [root().certificate],
      intermediates: checked.chain,
      ocspResponses: [own],
      atMs: NOW_MS,
      now: () => NOW_MS,
    });
    expect(JSON.stringify(itself)).toContain('its responder, Self, would vouch for itself');
  });
});
