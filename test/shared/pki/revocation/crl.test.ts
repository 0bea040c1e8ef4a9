import { describe, expect, test } from 'vitest';
import {
  crlDistributionPointsOf,
  keyUsageOf,
} from '../../../../functions/sandbox/authority/domain/issuing/extensions.ts';
import { context } from '../../../../shared/der/tags.ts';
import { explicit, integer, retag, sequence, utf8String } from '../../../../shared/der/write.ts';
import { EXTENSION } from '../../../../shared/pki/extensions/extensions.ts';
import { allErrors } from '../../../../shared/pki/findings/validation-results.ts';
import type { Judgement } from '../../../../shared/pki/verdict/judgement.ts';
import { judge } from '../../../../shared/pki/verdict/verdict.ts';
import { extension, namedBits } from '../../../certificates/odd-certificates.ts';
import type { Holder } from '../../../certificates/pki.ts';
import { authority, authorityExtensions, holder, root } from '../path/chain.ts';
import { type CrlShape, HOUR_MS, makeCrl, NOW_MS, scope, uriName } from './make-crl.ts';

const issuer = authority('Issuer');
const subject = holder('Holder', {}, issuer);
const rootList = makeCrl(root());

/** The status of a holder by these CRLs and the root's own CRL. */
async function statusBy(crls: readonly Buffer[], of: Holder = subject, more: Partial<Judgement> = {}) {
  const { status } = await judge(of.certificate, {
    anchors: [root().certificate],
    intermediates: of.chain,
    crls: [rootList, ...crls],
    atMs: NOW_MS,
    now: () => NOW_MS,
    ...more,
  });
  return status;
}

const list = (shape: CrlShape = {}): Buffer => makeCrl(issuer, shape);
const revoked = [{ certificate: subject.certificate }];

describe('a revocation list', () => {
  test('makes a certificate that is not in it ACTIVE, and one that is REVOKED', async () => {
    expect(await statusBy([list()])).toBe('ACTIVE');
    expect(await statusBy([list({ revoked })])).toBe('REVOKED');
  });

  test('revokes nobody by a serial number that only looks alike', async () => {
    const { serialHex } = subject.certificate;
    const longer = holder('Longer', { serialNumber: Buffer.from(`${serialHex}02`, 'hex') }, issuer);
    const inside = [
      { certificate: longer.certificate, extensions: [extension('1.2.3', subject.certificate.serialDer)] },
    ];
    expect(await statusBy([list({ revoked: inside })])).toBe('ACTIVE');
  });

  test('that revokes the authority revokes what that issued', async () => {
    const crls = [makeCrl(root(), { revoked: [{ certificate: issuer.certificate }] }), list()];
    const { status, results } = await judge(subject.certificate, {
      anchors: [root().certificate],
      intermediates: subject.chain,
      crls,
      atMs: NOW_MS,
      now: () => NOW_MS,
    });
    expect(status).toBe('REVOKED');
    expect(allErrors(results).map(({ type }) => type)).toEqual([
      'CertificateIssuerInvalid',
      'CertificateRevoked',
    ]);
  });

  test('tells of a revocation from its date on', async () => {
    const later = [{ certificate: subject.certificate, revokedAtMs: NOW_MS }];
    const crls = [list({ revoked: later })];
    expect(await statusBy(crls)).toBe('REVOKED');
    expect(await statusBy(crls, subject, { atMs: NOW_MS - 1 })).toBe('ACTIVE');
  });

  test('of somebody else says nothing', async () => {
    expect(await statusBy([])).toBe('STALE');
    expect(await statusBy([makeCrl(authority('Other'))])).toBe('STALE');
    expect(await statusBy([makeCrl({ ...issuer, privateKey: authority('Other').privateKey })])).toBe('STALE');
  });

  test('whose signer may not sign lists says nothing', async () => {
    const extensions = [...authorityExtensions().slice(0, 1), keyUsageOf(['keyCertSign'])];
    const silent = authority('Silent', { extensions });
    expect(await statusBy([makeCrl(silent)], holder('Holder', {}, silent))).toBe('STALE');
  });

  test('signed with an algorithm that is not safe says nothing', async () => {
    expect(await statusBy([list({ digest: 'sha1' })])).toBe('STALE');
  });

  test('with a critical extension that is unknown says nothing, not even of others than its entry', async () => {
    const unknown = extension('1.2.3.4', utf8String('x'), true);
    const other = holder('Other', {}, issuer);
    expect(await statusBy([list({ extensions: [unknown] })])).toBe('STALE');
    const listed = [{ certificate: other.certificate, extensions: [unknown] }];
    expect(await statusBy([list({ revoked: listed })])).toBe('STALE');
  });
});

describe('the age of a revocation list', () => {
  const past = { thisUpdateMs: NOW_MS - 10 * HOUR_MS, nextUpdateMs: NOW_MS - HOUR_MS };

  test('past its time makes it count within the grace, with a warning, and not after', async () => {
    const judged = {
      anchors: [root().certificate],
      intermediates: subject.chain,
      atMs: NOW_MS,
      now: () => NOW_MS,
    };
    const { status, results } = await judge(subject.certificate, {
      ...judged,
      crls: [rootList, list(past)],
      graceMs: HOUR_MS,
    });
    expect(status).toBe('ACTIVE');
    expect(results.warnings.map(({ message }) => message)).toEqual([
      'Newer revocation data for Holder was due on 2026-05-31 23:00:00 UTC and is not available; the last data counts within the grace window.',
    ]);
    expect(await statusBy([list(past)], subject, { graceMs: HOUR_MS - 1 })).toBe('STALE');
    expect(await statusBy([list(past)])).toBe('STALE');
  });

  test('does not undo a revocation, but one that can be lifted', async () => {
    expect(await statusBy([list({ ...past, revoked })])).toBe('REVOKED');
    const held = [{ certificate: subject.certificate, reason: 'certificateHold' }] as const;
    expect(await statusBy([list({ ...past, revoked: held })])).toBe('STALE');
    expect(await statusBy([list({ ...past, revoked: held }), list()])).toBe('ACTIVE');
    expect(await statusBy([list({ revoked: held })])).toBe('REVOKED');
  });

  test('in the future makes it no evidence', async () => {
    const future = { thisUpdateMs: NOW_MS + HOUR_MS, nextUpdateMs: NOW_MS + 2 * HOUR_MS };
    expect(await statusBy([list(future)])).toBe('STALE');
    // A judgement of the past accepts later CRLs.
    expect(
      await statusBy([list(future), makeCrl(root(), future)], subject, { now: () => NOW_MS + HOUR_MS }),
    ).toBe('ACTIVE');
  });

  test('with no next update lasts a day', async () => {
    expect(await statusBy([list({ nextUpdateMs: 'none' })])).toBe('ACTIVE');
    expect(await statusBy([list({ nextUpdateMs: 'none', thisUpdateMs: NOW_MS - 25 * HOUR_MS })])).toBe(
      'STALE',
    );
  });

  test('after the end of the certificate proves nothing of it, except a revocation', async () => {
    const short = holder('Short', { notAfterMs: NOW_MS + HOUR_MS }, issuer);
    const after = { thisUpdateMs: NOW_MS + 2 * HOUR_MS, nextUpdateMs: NOW_MS + 3 * HOUR_MS };
    const later = { now: () => NOW_MS + 2 * HOUR_MS };
    expect(await statusBy([list(after)], short, later)).toBe('STALE');
    expect(
      await statusBy([list({ ...after, revoked: [{ certificate: short.certificate }] })], short, later),
    ).toBe('REVOKED');
  });
});

describe('the scope of a revocation list', () => {
  test.each([
    ['holders only', { onlyUser: true }, 'ACTIVE'],
    ['authorities only', { onlyAuthorities: true }, 'STALE'],
    ['attribute certificates only', { onlyAttributes: true }, 'STALE'],
    ['some reasons only', { reasons: [1, 2] }, 'STALE'],
    ['a place that the certificate does not name', { address: 'http://crl.example/other.crl' }, 'STALE'],
  ])('%s', async (_, of, expected) => {
    expect(await statusBy([list({ issuingPoint: scope(of) })])).toBe(expected);
  });

  test('is the place that the certificate names', async () => {
    const address = 'http://crl.example/a.crl';
    const of = holder('Placed', { extensions: [crlDistributionPointsOf([address])] }, issuer);
    expect(await statusBy([list({ issuingPoint: scope({ address }) })], of)).toBe('ACTIVE');
    expect(await statusBy([list({ issuingPoint: scope({ address: `${address}?` }) })], of)).toBe('STALE');
  });

  test('is whole when several lists cover all reasons together', async () => {
    const some = list({ issuingPoint: scope({ reasons: [1, 2, 3, 4] }) });
    const others = list({ issuingPoint: scope({ reasons: [5, 6, 7, 8] }) });
    expect(await statusBy([some])).toBe('STALE');
    expect(await statusBy([some, others])).toBe('ACTIVE');
    expect(await statusBy([some, list({ revoked, issuingPoint: scope({ reasons: [5, 6, 7, 8] }) })])).toBe(
      'REVOKED',
    );
  });

  test('is no wider than the reasons that the distribution point promises', async () => {
    const point = sequence(
      explicit(0, explicit(0, uriName('http://crl.example/a.crl'))),
      retag(context(1, 'primitive'), namedBits([1])),
    );
    const extensions = [extension(EXTENSION.crlDistributionPoints, sequence(point))];
    const placed = { issuingPoint: scope({ address: 'http://crl.example/a.crl' }) };
    expect(await statusBy([list(placed)], holder('Placed', { extensions }, issuer))).toBe('STALE');
  });
});

// Key rollover: an authority signs the certificate of its new key with the old one, under the same name.
describe('a list by a further key of the authority', () => {
  const further = authority('Issuer', { keyName: 'further' }, issuer);
  const of = holder('Below', {}, further);

  test('tells of what that key issued, and not that the key itself is not revoked', async () => {
    expect(await statusBy([list(), makeCrl(further)], of)).toBe('ACTIVE');
    expect(await statusBy([makeCrl(further)], of)).toBe('STALE');
  });

  test('revokes the key when it says so itself', async () => {
    const itself = [{ certificate: further.certificate }];
    expect(await statusBy([makeCrl(further, { revoked: itself })], of)).toBe('REVOKED');
  });

  test('is no proof for another such key that is proof for it in turn', async () => {
    const another = authority('Issuer', { keyName: 'another' }, issuer);
    const known = { intermediates: [...of.chain, another.certificate] };
    expect(await statusBy([makeCrl(further), makeCrl(another)], of, known)).toBe('STALE');
  });
});

describe('an indirect revocation list', () => {
  const lister = authority('Lister');
  const point = sequence(explicit(2, explicit(4, lister.certificate.subject.der)));
  const extensions = [extension(EXTENSION.crlDistributionPoints, sequence(point))];
  const of = holder('Elsewhere', { extensions }, issuer);
  const indirect = (shape: CrlShape = {}) =>
    makeCrl(lister, { issuingPoint: scope({ isIndirect: true }), ...shape });
  const known = { intermediates: [...of.chain, lister.certificate] };

  test('tells of certificates that name its issuer', async () => {
    expect(await statusBy([indirect()], of, known)).toBe('ACTIVE');
    const listed = [{ certificate: of.certificate, namesIssuer: true }];
    expect(await statusBy([indirect({ revoked: listed })], of, known)).toBe('REVOKED');
  });

  test('revokes by issuer and serial number, not by serial number alone', async () => {
    const namesake = holder('Namesake', { serialNumber: of.certificate.serialNumber }, lister);
    const listed = [{ certificate: namesake.certificate }];
    expect(await statusBy([indirect({ revoked: listed })], of, known)).toBe('ACTIVE');
  });

  test('means the last issuer named, until another is', async () => {
    const other = holder('Other', {}, issuer);
    const listed = [{ certificate: other.certificate, namesIssuer: true }, { certificate: of.certificate }];
    expect(await statusBy([indirect({ revoked: listed })], of, known)).toBe('REVOKED');
  });

  test('must say that it is one', async () => {
    expect(await statusBy([makeCrl(lister)], of, known)).toBe('STALE');
  });

  test('of a signer that is revoked itself says nothing', async () => {
    const crls = [makeCrl(root(), { revoked: [{ certificate: lister.certificate }] }), indirect()];
    expect(await statusBy(crls, of, known)).toBe('STALE');
  });

  test('of a signer that leads to no anchor says nothing', async () => {
    const stranger = authority('Lister', {}, authority('Stranger', { keyName: 'stranger' }));
    const forged = makeCrl(stranger, { issuingPoint: scope({ isIndirect: true }) });
    expect(await statusBy([forged], of, { intermediates: [...of.chain, stranger.certificate] })).toBe(
      'STALE',
    );
  });
});

describe('a delta list', () => {
  const complete = list({ number: 10 });
  const heldIn = (shape: CrlShape) =>
    list({ revoked: [{ certificate: subject.certificate, reason: 'certificateHold' }], ...shape });

  test('adds to the complete one that it continues', async () => {
    expect(await statusBy([complete, list({ number: 11, baseNumber: 10 })])).toBe('ACTIVE');
    expect(await statusBy([complete, list({ number: 11, baseNumber: 10, revoked })])).toBe('REVOKED');
  });

  test('takes a hold back', async () => {
    const lifted = [{ certificate: subject.certificate, reason: 'removeFromCRL' }] as const;
    expect(await statusBy([heldIn({ number: 10 })])).toBe('REVOKED');
    expect(
      await statusBy([heldIn({ number: 10 }), list({ number: 11, baseNumber: 9, revoked: lifted })]),
    ).toBe('ACTIVE');
  });

  test('alone says nothing', async () =>
    expect(await statusBy([list({ number: 11, baseNumber: 10 })])).toBe('STALE'));

  test('keeps a complete one that is past its time in use', async () => {
    const old = list({ number: 10, thisUpdateMs: NOW_MS - 9 * HOUR_MS, nextUpdateMs: NOW_MS - HOUR_MS });
    expect(await statusBy([old])).toBe('STALE');
    expect(await statusBy([old, list({ number: 11, baseNumber: 10 })])).toBe('ACTIVE');
  });

  test.each([
    ['begins after it', { number: 12, baseNumber: 11, revoked }],
    ['is not newer', { number: 10, baseNumber: 9, revoked }],
    ['has another scope', { number: 11, baseNumber: 10, revoked, issuingPoint: scope({ onlyUser: true }) }],
    ['is past its time', { number: 11, baseNumber: 10, revoked, nextUpdateMs: NOW_MS - 1_000 }],
  ])('does not continue a complete one when it %s', async (_, shape) => {
    expect(await statusBy([complete, list(shape)])).toBe('ACTIVE');
  });

  test('signed by somebody else changes nothing', async () => {
    const forged = makeCrl(
      { ...issuer, privateKey: root().privateKey },
      { number: 11, baseNumber: 10, revoked },
    );
    expect(await statusBy([complete, forged])).toBe('ACTIVE');
  });
});

test('revocation data that cannot be read is told in a warning and changes nothing else', async () => {
  const { status, results } = await judge(subject.certificate, {
    anchors: [root().certificate],
    intermediates: subject.chain,
    crls: [rootList, list(), Buffer.from('no list'), sequence(integer(1))],
    atMs: NOW_MS,
    now: () => NOW_MS,
  });
  expect(status).toBe('ACTIVE');
  expect(results.warnings.map(({ type }) => type)).toEqual(['InvalidCrl', 'InvalidCrl']);
});
