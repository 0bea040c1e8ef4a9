import { describe, expect, test } from 'vitest';
import {
  restampDueAtMs,
  signersEndMs,
  timestampsEndMs,
} from '../../../../functions/credentials/flows/domain/proof.ts';
import { findSignatures, inMemory } from '../../../../shared/signing/verification/verify-file.ts';
import { assumeTrusted } from '../../../../shared/signing/verification/verify-signed-file.ts';
import { signXades } from '../../../../shared/signing/xades/sign.ts';
import { holderKey } from '../../../shared/signing/cms/fixtures.ts';
import { pki, stampAt, withArchiveStamp } from '../../../shared/signing/xades/parties.ts';
import { DAY_MS } from './stage.ts';

const nowMs = Date.now();
const stamp = stampAt(() => nowMs);
const ends = (days: number) => ({ change: { notAfterMs: nowMs + days * DAY_MS } });
const later = holderKey({ keyName: 'later', ...ends(50) });
const sooner = holderKey({ keyName: 'sooner', ...ends(40) });
const authorityEndsMs = pki.timestampAuthority().certificate.notAfterMs;

const signaturesOf = async (xml: Buffer) =>
  (await findSignatures('XAdES', inMemory(xml), { judge: assumeTrusted, atMs: nowMs })).signatures;
const signed = (xml: Buffer, key: typeof later, more = {}) =>
  signXades(xml, key, { signingTimeMs: nowMs, leaveRoom: true, ...more });
const plain = Buffer.from('<Diploma/>');

describe('the proof of a signed file', () => {
  test('ends with the first certificate of its signers, where no timestamp is in it', async () => {
    const signatures = await signaturesOf(await signed(await signed(plain, later), sooner));
    expect(timestampsEndMs(signatures)).toBeUndefined();
    expect(signersEndMs(signatures)).toBe(sooner.certificate.notAfterMs);
  });

  test('ends with the authority of its timestamps, whoever signed without one', async () => {
    const signatures = await signaturesOf(await signed(await signed(plain, later, { stamp }), sooner));
    expect(timestampsEndMs(signatures)).toBe(authorityEndsMs);
  });

  test('does not rest on a timestamp over something else', async () => {
    const broken = withArchiveStamp(await signed(plain, later, { stamp }));
    const [signature] = await signaturesOf(broken);
    expect(signature?.archiveTimestamps).toMatchObject([{ valid: false }]);
    const { timestamps: _, ...rest } = signature ?? ({} as never);
    expect(timestampsEndMs([{ ...rest, timestamps: [] }])).toBeUndefined();
  });

  test('ends with the signature that ends first, each with the last of its timestamps', async () => {
    const [signature] = await signaturesOf(await signed(plain, later, { stamp }));
    if (!signature) throw new Error('There is a signature.');
    const [report] = signature.timestamps;
    const until = (notAfterMs: number) => ({ ...report, authority: { notAfterMs } }) as never;
    const one = { ...signature, timestamps: [until(10), until(30)], archiveTimestamps: [until(20)] };
    const other = { ...signature, timestamps: [until(5)], archiveTimestamps: [until(25)] };
    expect(timestampsEndMs([one])).toBe(30);
    expect(timestampsEndMs([one, other])).toBe(25);
    expect(timestampsEndMs([one, { ...other, kind: 'countersignature' }])).toBe(30);
  });
});

test('a file is stamped 30 days before its proof ends, and not at once by an authority that ends sooner', () => {
  const endsAtMs = nowMs + 100 * DAY_MS;
  expect(restampDueAtMs({ endsAtMs })).toBe(nowMs + 70 * DAY_MS);
  expect(restampDueAtMs({ endsAtMs, madeAtMs: nowMs })).toBe(nowMs + 70 * DAY_MS);
  expect(restampDueAtMs({ endsAtMs, madeAtMs: endsAtMs - 10 * DAY_MS })).toBe(endsAtMs - 5 * DAY_MS);
  expect(restampDueAtMs({ endsAtMs, madeAtMs: endsAtMs - 1000 })).toBe(endsAtMs - 1000 + DAY_MS);
});
