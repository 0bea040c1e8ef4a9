import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { timestampAuthorityProfile } from '../../../../functions/sandbox/authority/domain/issuing/profiles.ts';
import { measure } from '../../../../shared/signing/cades/content.ts';
import { signAttached, signDetached } from '../../../../shared/signing/cades/sign.ts';
import { type CadesReport, verifyCades } from '../../../../shared/signing/cades/verify.ts';
import { stampWith } from '../../../../shared/signing/timestamp/client.ts';
import { below, testKey } from '../../../certificates/pki.ts';
import { holderKey, judge, keyOf, pki } from '../cms/fixtures.ts';
import { reaching } from '../timestamp/fixtures.ts';
import { archived, edited, piece, piecesOf, withUnsigned } from './archive-timestamp.ts';

const HOUR_MS = 3_600_000;
const now = Math.floor(Date.now() / 1000) * 1000;
const ago = (hours: number): number => now - hours * HOUR_MS;
const context = { judge, atMs: now };
const content = randomBytes(300);
const key = holderKey();

/** An authority whose certificate ends so many hours ago. */
const expired = (hours: number) =>
  keyOf(
    below(pki.intermediate, testKey('p256', `authority ${hours}`), (keys) => ({
      subject: [['commonName', `Carimbo ate ${hours} horas atras`]],
      extensions: timestampAuthorityProfile(keys),
      notBeforeMs: ago(1000),
      notAfterMs: ago(hours),
    })),
  );

const stampAt = (hours: number, authority = {}) =>
  stampWith({ ...reaching({ now: () => ago(hours), ...authority }), clockToleranceMs: 1e13 });

const errorsOf = ({ signers }: CadesReport) => signers[0]?.results.errors.map(({ type }) => type);
const warningsOf = ({ signers }: CadesReport) => signers[0]?.results.warnings.map(({ type }) => type);

describe('an archive timestamp', () => {
  let plain: Buffer;
  let stamped: Buffer;
  beforeAll(async () => {
    const options = { signingTimeMs: ago(3) };
    plain = await buffer(signAttached(() => content, key, options));
    stamped = await buffer(signAttached(() => content, key, { ...options, stamp: stampAt(2) }));
  });

  test.each(['v3', 'v1'] as const)(
    'with an index of %s proves when all that it covers existed',
    async (index) => {
      const report = await verifyCades(
        await archived(stamped, { index, authority: { now: () => ago(1) } }),
        context,
      );
      expect(errorsOf(report)).toEqual([]);
      expect(report).toMatchObject({
        valid: true,
        signers: [{ archiveTimestamps: [{ valid: true, info: { timeMs: ago(1) } }], provenTimeMs: ago(2) }],
      });
    },
  );

  test('proves the time of a signature that has no other', async () => {
    const report = await verifyCades(await archived(plain, { authority: { now: () => ago(1) } }), context);
    expect(report).toMatchObject({ valid: true, signers: [{ provenTimeMs: ago(1), judgedAtMs: ago(1) }] });
    expect(warningsOf(report)).toEqual([]);
  });

  test('over a detached signature may use a digest of its own', async () => {
    const detached = await signDetached(await measure(content, 'sha256'), key, { signingTimeMs: ago(3) });
    const signature = await archived(detached, { content, digest: 'sha512' });
    expect(await verifyCades(signature, { ...context, content })).toMatchObject({
      valid: true,
      signers: [{ archiveTimestamps: [{ valid: true }] }],
    });
    const other = await verifyCades(signature, { ...context, content: randomBytes(300) });
    expect(other).toMatchObject({ valid: false, signers: [{ intact: false, archiveTimestamps: [] }] });
  });

  test('whose digest the content was not hashed with is reported, and proves no time', async () => {
    const report = await verifyCades(await archived(plain, { digest: 'sha512' }), context);
    expect(report).toMatchObject({
      valid: true,
      signers: [{ provenTimeMs: undefined, archiveTimestamps: [{ intact: undefined, valid: false }] }],
    });
    expect(warningsOf(report)).toContain('SignatureTimestampIgnored');
  });

  test('of an authority that is not trusted proves no time', async () => {
    const report = await verifyCades(
      await archived(plain, { authority: { key: expired(1), now: () => ago(2) } }),
      context,
    );
    expect(report).toMatchObject({
      valid: true,
      signers: [{ provenTimeMs: undefined, archiveTimestamps: [{ intact: true, valid: false }] }],
    });
    expect(warningsOf(report)).toContain('SignatureTimestampIgnored');
  });

  test.each<[string, () => Promise<Buffer>]>([
    ['over something else', () => archived(stamped, { imprint: randomBytes(32) })],
    ['over another content', () => archived(stamped, { content: randomBytes(300) })],
    [
      'taken from another signature',
      async () => {
        const other = await buffer(signAttached(() => content, key, { signingTimeMs: ago(4) }));
        return withUnsigned(stamped, lastUnsigned(await archived(other)));
      },
    ],
    [
      'after a certificate that it covers was taken out',
      async () =>
        edited(await archived(stamped), [1, 0, 3], (certificates) =>
          certificates.filter((der) => !der.equals(pki.root.certificate.der)),
        ),
    ],
    [
      'after the timestamp that it covers was exchanged for another',
      async () => {
        const token = await stampAt(100)('sha256', randomBytes(32));
        const [type] = piecesOf(piecesOf(firstUnsigned(stamped))[0]?.content ?? Buffer.alloc(0));
        const exchanged = piece(0x30, type?.whole ?? Buffer.alloc(0), piece(0x31, token));
        return edited(await archived(stamped), [1, 0, -1, 0, -1], ([, ...others]) => [exchanged, ...others]);
      },
    ],
    [
      'without its index',
      async () =>
        edited(await archived(stamped), [1, 0, -1, 0, -1, -1, 1, 0, 1, 0, -1, 0], (signer) =>
          signer.slice(0, -1),
        ),
    ],
    [
      'with an index that lists less',
      async () =>
        edited(await archived(stamped), [1, 0, -1, 0, -1, -1, 1, 0, 1, 0, -1, 0, -1, 0, 1, 0, 1], (hashes) =>
          hashes.slice(1),
        ),
    ],
  ])('%s is refused and proves no time', async (_, forge) => {
    const report = await verifyCades(await forge(), context);
    expect(report.valid).toBe(false);
    expect(errorsOf(report)).toContain('InvalidArchiveTimestamp');
    expect(report.signers[0]).toMatchObject({
      intact: true,
      archiveTimestamps: [{ valid: false, intact: false }],
    });
    expect(report.signers[0]?.provenTimeMs ?? ago(2)).toBe(ago(2));
  });
});

/*
 *  hours ago   8         7          6                5            4               3            2           now
 *              signed,   holder's   archived with    first        archived again  second       third       judged
 *              stamped   cert ends  the second       authority's  with the third  authority's  (to 2044)
 *                                   authority        cert ends                    cert ends
 *
 * Each archive timestamp shows that what came before it existed while it could still be judged.
 */
describe('a chain of archive timestamps', () => {
  const holder = holderKey({ keyName: 'late', change: { notBeforeMs: ago(1000), notAfterMs: ago(7) } });
  const first = expired(5);
  const second = expired(3);
  const signed = () =>
    buffer(signAttached(() => content, holder, { signingTimeMs: ago(9), stamp: stampAt(8, { key: first }) }));
  const once = async (signature: Buffer) =>
    archived(signature, { authority: { key: second, now: () => ago(6) } });
  const twice = async (signature: Buffer) =>
    archived(await once(signature), { authority: { now: () => ago(4) } });

  test('keeps a signature valid after its certificate and two authorities have expired', async () => {
    const report = await verifyCades(await twice(await signed()), context);
    expect(errorsOf(report)).toEqual([]);
    expect(report).toMatchObject({
      valid: true,
      signers: [{ provenTimeMs: ago(8), judgedAtMs: ago(8), verdict: { status: 'ACTIVE' } }],
    });
    expect(report.signers[0]?.archiveTimestamps.map(({ info }) => info?.timeMs)).toEqual([ago(4), ago(6)]);
  });

  test('does not, with a link missing', async () => {
    for (const make of [signed, async () => once(await signed())])
      expect(await verifyCades(await make(), context)).toMatchObject({
        valid: false,
        signers: [{ intact: true, provenTimeMs: undefined, verdict: { status: 'EXPIRED' } }],
      });
  });

  test('backdating: proves no time for a timestamp that an expired authority added later', async () => {
    // The key of an authority is out once its certificate has ended: whoever has it can stamp any time.
    const unstamped = await buffer(signAttached(() => content, holder, { signingTimeMs: ago(9) }));
    const backdated = await buffer(
      signAttached(() => content, holder, { signingTimeMs: ago(9), stamp: stampAt(8, { key: first }) }),
    );
    const signature = withUnsigned(await twice(unstamped), firstUnsigned(backdated));
    const report = await verifyCades(signature, context);
    expect(report).toMatchObject({
      valid: false,
      signers: [{ timestamps: [{ intact: true, valid: false }], provenTimeMs: ago(6) }],
    });
  });
});

const unsignedOf = (signature: Buffer): Buffer[] => {
  const found: Buffer[] = [];
  edited(signature, [1, 0, -1, 0, -1], (attributes) => {
    found.push(...attributes);
    return attributes;
  });
  return found;
};
const firstUnsigned = (signature: Buffer): Buffer => unsignedOf(signature)[0] ?? Buffer.alloc(0);
const lastUnsigned = (signature: Buffer): Buffer => unsignedOf(signature).at(-1) ?? Buffer.alloc(0);
