import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { answerTimestamp } from '../../../../functions/sandbox/authority/domain/issuing/timestamp.ts';
import { header, integer, sequence } from '../../../../shared/der/write.ts';
import { cosignAttached, signAttached } from '../../../../shared/signing/cades/sign.ts';
import { verifyCades } from '../../../../shared/signing/cades/verify.ts';
import { hashOf } from '../../../../shared/signing/digest.ts';
import { sealForRecipients } from '../../../../shared/signing/encryption/enveloped.ts';
import { openEnveloped } from '../../../../shared/signing/encryption/open-enveloped.ts';
import { readAnswer } from '../../../../shared/signing/timestamp/answer.ts';
import { stampWith } from '../../../../shared/signing/timestamp/client.ts';
import { writeRequest } from '../../../../shared/signing/timestamp/request.ts';
import { verifyTimestamp } from '../../../../shared/signing/timestamp/verify.ts';
import { runs } from '../../../faults/fuzz.ts';
import { startCpuClock } from '../../../measure/cpu-time.ts';
import { authority, reaching } from '../timestamp/fixtures.ts';
import { holderKey, judge, pki } from './fixtures.ts';

const MAX_MS = 1000;
const RUNS = { numRuns: runs(250) };
const context = { judge, atMs: Date.now() };
const content = randomBytes(200);
const hash = hashOf('sha256', content);
const asked = { digest: 'sha256', hash, nonce: integer(12_345) } as const;
const holder = pki.holder();

/** A file with a few bytes changed, dropped, or repeated. */
const mangled = (original: () => Buffer) =>
  fc
    .array(
      fc.tuple(fc.nat(), fc.constantFrom('set', 'drop', 'repeat', 'cut'), fc.integer({ min: 0, max: 255 })),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .map((edits) => {
      let bytes = original();
      for (const [where, kind, value] of edits) {
        const at = where % (bytes.length || 1);
        if (kind === 'set')
          bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([value]), bytes.subarray(at + 1)]);
        else if (kind === 'drop') bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + value)]);
        else if (kind === 'repeat')
          bytes = Buffer.concat([bytes.subarray(0, at + value), bytes.subarray(at)]);
        else if (value < 20) bytes = bytes.subarray(0, at);
      }
      return bytes;
    });

/** Runs what reads untrusted bytes: it may only answer, or throw errors by these names, and not take long. */
async function survives(run: () => unknown, ...names: string[]): Promise<void> {
  const cpuMs = startCpuClock();
  try {
    await run();
  } catch (error) {
    expect(names).toContain((error as Error).name);
  }
  expect(cpuMs()).toBeLessThan(MAX_MS);
}

describe('whatever the bytes', () => {
  let signature: Buffer;
  let reply: Buffer;
  let envelope: Buffer;
  beforeAll(async () => {
    const options = { signingTimeMs: Date.now(), stamp: stampWith(reaching()) };
    signature = await buffer(signAttached(() => content, holderKey(), options));
    reply = await answerTimestamp(writeRequest(asked), authority);
    envelope = await buffer(sealForRecipients(content, [holder.certificate]));
  });

  const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  const read = async (bytes: Buffer) => {
    await survives(() => verifyCades(bytes, context), 'CmsMalformed');
    await survives(
      () => buffer(cosignAttached(() => bytes, holderKey(), { signingTimeMs: 0 })),
      'CmsMalformed',
      'ContentMismatch',
    );
  };

  test('a verifier and a co-signer answer or say that it is no CMS', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          random,
          mangled(() => signature),
        ),
        read,
      ),
      RUNS,
    );
  });

  test('a timestamp client answers or says why not, and a token is judged', async () => {
    const anything = fc.oneof(
      random,
      mangled(() => reply),
    );
    const clock = { nowMs: Date.now(), toleranceMs: 300_000 };
    await fc.assert(
      fc.asyncProperty(anything, async (bytes) => {
        await survives(() => readAnswer({ status: 200, bytes }, asked, clock), 'TimestampRefused');
        await survives(() => verifyTimestamp(bytes.subarray(9), () => hash, context));
      }),
      RUNS,
    );
  });

  test('a timestamp authority always answers', async () => {
    const anything = fc.oneof(
      random,
      mangled(() => writeRequest(asked)),
    );
    await fc.assert(
      fc.asyncProperty(anything, async (bytes) => {
        expect((await answerTimestamp(bytes, authority)).length).toBeGreaterThan(4);
      }),
      { numRuns: runs(100) },
    );
  });

  test('an envelope opens or is refused', async () => {
    const anything = fc.oneof(
      random,
      mangled(() => envelope),
    );
    await fc.assert(
      fc.asyncProperty(anything, (bytes) =>
        survives(() => buffer(openEnveloped(bytes, holder)), 'DecryptionFailed'),
      ),
      RUNS,
    );
  });

  test.each<[string, () => Buffer]>([
    ['a bomb of nested headers', () => Buffer.alloc(200_000, Buffer.from('3080', 'hex'))],
    ['a bomb of nested strings', () => inContent(Buffer.alloc(200_000, Buffer.from('2480', 'hex')))],
    ['a length of a terabyte', () => Buffer.concat([header(0x30, 2 ** 40), Buffer.from('0609', 'hex')])],
    ['a million tiny signers', () => withSigners(Buffer.alloc(2_000_000, Buffer.from('0500', 'hex')))],
    [
      'a million tiny attributes',
      () => withSigners(sequence(Buffer.alloc(2_000_000, Buffer.from('0500', 'hex')))),
    ],
    ['a signer of tiny elements in BER', () => withSigners(hex(`3080 ${'0500'.repeat(60_000)} 0000`))],
    ['content in crumbs', () => inContent(hex(`2480 ${'040178'.repeat(100_000)}`))],
    ['a thousand certificates that are none', () => withSigners(hex(`a080 ${'3000'.repeat(999)} 0000 3100`))],
  ])('%s is refused quickly and without filling memory', async (_, make) => {
    const bytes = make();
    const before = process.memoryUsage().rss;
    await survives(() => verifyCades(bytes, context), 'CmsMalformed');
    expect(process.memoryUsage().rss - before).toBeLessThan(Math.max(10 * bytes.length, 64 * 1024 * 1024));
  });
});

const START = '3080 06092a864886f70d010702 a080 3080 020101 3100 3080 06092a864886f70d010701';
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const inContent = (pieces: Buffer) => Buffer.concat([hex(`${START} a080`), pieces]);
const withSigners = (infos: Buffer) =>
  Buffer.concat([hex(`${START} 0000`), header(0x31, infos.length), infos, hex('0000 0000 0000')]);
