import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crlDistributionPointsOf } from '../../../../functions/sandbox/authority/domain/issuing/extensions.ts';
import { bitString, integer, sequence, time } from '../../../../shared/der/write.ts';
import { parseCrl } from '../../../../shared/pki/revocation/crl/crl.ts';
import { findEntry, findUnknownCriticalEntry } from '../../../../shared/pki/revocation/crl/entries.ts';
import { parseOcspResponse } from '../../../../shared/pki/revocation/ocsp/response.ts';
import { judge } from '../../../../shared/pki/verdict/verdict.ts';
import { runs } from '../../../faults/fuzz.ts';
import { startCpuClock } from '../../../measure/cpu-time.ts';
import { authority, holder, root } from '../path/chain.ts';
import { makeCrl, NOW_MS, scope } from './make-crl.ts';
import { makeOcsp } from './make-ocsp.ts';

const issuer = authority('Issuer');
const subject = holder(
  'Holder',
  { extensions: [crlDistributionPointsOf(['http://crl.example/a.crl'])] },
  issuer,
);
const other = holder('Other', {}, issuer);

const crl = makeCrl(issuer, {
  revoked: [
    { certificate: other.certificate, reason: 'superseded', namesIssuer: true },
    { certificate: subject.certificate, reason: 'keyCompromise' },
  ],
  issuingPoint: scope({ address: 'http://crl.example/a.crl', reasons: [1, 2, 3], isIndirect: true }),
});
const ocsp = makeOcsp({
  certificate: subject.certificate,
  issuer: issuer.certificate,
  signer: issuer,
  status: { revokedAtMs: NOW_MS - 1_000, reason: 'keyCompromise' },
  nonce: Buffer.alloc(16, 1),
});

/** The sample with some bytes changed, removed or repeated. */
const mutated = (sample: Buffer) =>
  fc
    .array(
      fc.record({
        at: fc.nat(sample.length - 1),
        byte: fc.nat(255),
        how: fc.constantFrom('set', 'cut', 'double'),
      }),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((changes) => {
      let bytes = Buffer.from(sample);
      for (const { at, byte, how } of changes) {
        if (how === 'set') bytes[at % bytes.length] = byte;
        else if (how === 'cut')
          bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + (byte % 8))]);
        else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - byte))]);
        if (bytes.length === 0) return Buffer.from([byte]);
      }
      return bytes;
    });

const refusesOrReads = (allowed: readonly string[], read: () => unknown): void => {
  try {
    read();
  } catch (error) {
    expect(allowed).toContain((error as Error).name);
  }
};

describe('whatever the bytes', () => {
  test('a revocation list is read or refused by name', () => {
    const readWhole = (bytes: Uint8Array) => () => {
      const list = parseCrl(bytes);
      findEntry(list, subject.certificate);
      findUnknownCriticalEntry(list);
    };
    fc.assert(
      fc.property(mutated(crl), (bytes) => refusesOrReads(['CrlMalformed'], readWhole(bytes))),
      { numRuns: runs(1_000) },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) =>
        refusesOrReads(['CrlMalformed'], readWhole(bytes)),
      ),
      { numRuns: runs(500) },
    );
  });

  test('an OCSP response is read or refused by name', () => {
    const allowed = ['OcspMalformed', 'OcspRefused'];
    fc.assert(
      fc.property(mutated(ocsp), (bytes) => refusesOrReads(allowed, () => parseOcspResponse(bytes))),
      { numRuns: runs(1_000) },
    );
  });

  test('a verdict is given, and never a good one by data that was tampered with', async () => {
    const good = makeCrl(issuer);
    const judged = (crls: readonly Buffer[], ocspResponses: readonly Buffer[]) =>
      judge(other.certificate, {
        anchors: [root().certificate],
        intermediates: other.chain,
        crls: [makeCrl(root()), ...crls],
        ocspResponses,
        atMs: NOW_MS,
        now: () => NOW_MS,
      });
    expect((await judged([good], [])).status).toBe('ACTIVE');
    await fc.assert(
      fc.asyncProperty(mutated(good), mutated(ocsp), async (list, response) => {
        const { status } = await judged([list], [response]);
        if (!list.equals(good)) expect(status).not.toBe('ACTIVE');
      }),
      { numRuns: runs(150) },
    );
  });
});

describe('a list of hundreds of thousands', () => {
  const ENTRIES = 200_000;
  const template = parseCrl(makeCrl(issuer));
  const algorithm = template.signatureAlgorithm.der;
  const when = time(NOW_MS - 1_000);
  const serial = (i: number): Buffer => integer(0x7000_0000 + i);
  const entries = Array.from({ length: ENTRIES }, (_, i) => sequence(serial(i), when));
  const tbs = sequence(
    integer(1),
    algorithm,
    template.issuer.der,
    when,
    time(NOW_MS + 1_000),
    sequence(Buffer.concat(entries)),
  );
  const bytes = sequence(tbs, algorithm, bitString(Buffer.alloc(64)));

  test('is searched without being unpacked', () => {
    const first = holder('First', { serialNumber: 0x7000_0000 }, issuer).certificate;
    const last = holder('Last', { serialNumber: 0x7000_0000 + ENTRIES - 1 }, issuer).certificate;
    const none = holder('None', { serialNumber: 0x7000_0000 + ENTRIES }, issuer).certificate;
    const before = process.memoryUsage();
    const cpuMs = startCpuClock();
    const list = parseCrl(bytes);
    expect([first, last, none].map((one) => findEntry(list, one) !== undefined)).toEqual([true, true, false]);
    expect(cpuMs()).toBeLessThan(5_000);
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    expect(heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(10 * bytes.length);
  });
});
