import { createCipheriv, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { context } from '../../../../shared/der/tags.ts';
import { explicit, integer, octetString, oid, retag, sequence, setOf } from '../../../../shared/der/write.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { CONTENT } from '../../../../shared/signing/cms/oids.ts';
import { OAEP_ALGORITHM, wrapKey } from '../../../../shared/signing/encryption/algorithms.ts';
import { sealForRecipients } from '../../../../shared/signing/encryption/enveloped.ts';
import { openEnveloped } from '../../../../shared/signing/encryption/open-enveloped.ts';
import { pki } from '../cms/fixtures.ts';
import { folder, hasOpenssl, openssl } from '../cms/openssl.ts';

const files = folder();
afterAll(() => files.remove());

const holder = pki.holder();
const other = pki.holder({ keyName: 'other', commonName: 'MARIA DE TESTE:11144477735' });
const content = randomBytes(10_000);
const recip = files.file('recip.pem', writePem('CERTIFICATE', holder.certificate.der));
const inkey = files.file('recip.key', holder.privateKey.export({ format: 'pem', type: 'pkcs8' }));

const failure = (reason: string) => expect.objectContaining({ name: 'DecryptionFailed', reason });
const refusal = (reason: string) => expect.objectContaining({ name: 'EncryptionRefused', reason });

function openedByOpenssl(envelope: Buffer): Buffer {
  const args = ['cms', '-decrypt', '-binary', '-inform', 'DER', '-in', files.file('e.p7m', envelope)];
  expect(openssl(...args, '-recip', recip, '-inkey', inkey, '-out', files.path('e.out'))).toMatchObject({
    ok: true,
  });
  return readFileSync(files.path('e.out'));
}

describe.skipIf(!hasOpenssl)('an envelope for a certificate, judged by openssl', () => {
  test.each([0, 1, 15, 16, 17, 10_000, 300_000])('of %i bytes is opened by openssl cms', async (size) => {
    const some = randomBytes(size);
    expect(
      openedByOpenssl(await buffer(sealForRecipients(inPieces(some, 4096), [holder.certificate]))),
    ).toEqual(some);
  });

  test('says that it is of AES-256, its key wrapped with OAEP, and openssl opens what is said', async () => {
    const envelope = await buffer(sealForRecipients(content, [holder.certificate]));
    expect(openedByOpenssl(envelope)).toEqual(content);
    const args = ['-cmsout', '-print', '-noout', '-inform', 'DER', '-in', files.file('e.p7m', envelope)];
    const printed = openssl('cms', ...args).stdout.toString();
    expect(printed).toMatch(/contentEncryptionAlgorithm:\s+algorithm: aes-256-cbc/);
    expect(printed).toMatch(/keyEncryptionAlgorithm:\s+algorithm: rsaesOaep/);
  });

  test('for two certificates is opened with one of them', async () => {
    const envelope = await buffer(sealForRecipients(content, [other.certificate, holder.certificate]));
    expect(openedByOpenssl(envelope)).toEqual(content);
  });

  test.each([
    ['with PKCS#1 v1.5', ['-aes256']],
    [
      'with OAEP and SHA-256',
      ['-aes256', '-keyopt', 'rsa_padding_mode:oaep', '-keyopt', 'rsa_oaep_md:sha256'],
    ],
    ['with OAEP and SHA-1', ['-aes-128-cbc', '-keyopt', 'rsa_padding_mode:oaep']],
    ['in BER, as a stream', ['-aes-192-cbc', '-stream']],
    ['named by key identifier', ['-aes256', '-keyid']],
    ['as AuthEnvelopedData, AES-128', ['-aes-128-gcm']],
    ['as AuthEnvelopedData, AES-192', ['-aes-192-gcm']],
    ['as AuthEnvelopedData, AES-256', ['-aes-256-gcm']],
    [
      'as AuthEnvelopedData in BER, with OAEP',
      ['-aes-256-gcm', '-stream', '-keyopt', 'rsa_padding_mode:oaep'],
    ],
  ])('is opened here when openssl made it %s', async (_, args) => {
    const input = files.file('plain', content);
    const fixed = ['cms', '-encrypt', '-binary', '-outform', 'DER', '-in', input];
    const made = openssl(
      ...fixed,
      ...args.filter((arg) => !arg.includes('rsa') && arg !== '-keyopt'),
      '-recip',
      recip,
      ...keyOptions(args),
    );
    expect(made).toMatchObject({ ok: true });
    expect(await buffer(openEnveloped(made.stdout, holder))).toEqual(content);
  });
});

// openssl takes these only after the recipient that they are for.
const keyOptions = (args: string[]) =>
  args.filter((arg) => arg.includes('rsa')).flatMap((arg) => ['-keyopt', arg]);

describe('an envelope for a certificate', () => {
  test('gives its content back, however it comes', async () => {
    const envelope = await buffer(sealForRecipients(content, [holder.certificate, other.certificate]));
    for (const size of [1, 7, 1000, 100_000])
      for (const opener of [holder, other])
        expect(await buffer(openEnveloped(inPieces(envelope, size), opener))).toEqual(content);
  });

  test("is refused by a certificate that it is not for, and with a key that is not the certificate's", async () => {
    const envelope = await buffer(sealForRecipients(content, [holder.certificate]));
    await expect(buffer(openEnveloped(envelope, other))).rejects.toThrow(failure('not-for-this-key'));
    const mixed = { certificate: holder.certificate, privateKey: other.privateKey };
    await expect(buffer(openEnveloped(envelope, mixed))).rejects.toThrow(failure('wrong-key-or-changed'));
  });

  test('is refused when it is cut short, followed by bytes, or no envelope', async () => {
    const envelope = await buffer(sealForRecipients(content, [holder.certificate]));
    const wrong = [
      envelope.subarray(0, -1),
      envelope.subarray(0, 700),
      Buffer.concat([envelope, envelope]),
      content,
    ];
    for (const bytes of wrong)
      await expect(buffer(openEnveloped(bytes, holder))).rejects.toThrow(failure('malformed'));
  });

  test('is not made for nobody, for an EC key, or for a key that is not for encryption', async () => {
    const seal = (...recipients: Parameters<typeof sealForRecipients>[1]) =>
      buffer(sealForRecipients(content, recipients));
    await expect(seal()).rejects.toThrow(refusal('no-recipient'));
    await expect(seal(pki.holder({ key: 'p256' }).certificate)).rejects.toThrow(refusal('recipient-key'));
    await expect(seal(pki.intermediate.certificate)).rejects.toThrow(refusal('recipient-usage'));
  });
});

describe('an AuthEnvelopedData', () => {
  const NONCE = randomBytes(12);
  const GCM = '2.16.840.1.101.3.4.1.46';
  type Made = {
    tagBytes?: number;
    parameters?: Buffer;
    kind?: string;
    cipher?: string;
    attributes?: Buffer;
    tag?: (tag: Buffer) => Buffer;
  };

  /** As RFC 5083 writes it, for the holder. */
  function made({
    tagBytes = 16,
    kind = CONTENT.authEnvelopedData,
    cipher = GCM,
    ...more
  }: Made = {}): Buffer {
    const key = randomBytes(32);
    const gcm = createCipheriv('aes-256-gcm', key, NONCE, { authTagLength: tagBytes });
    const ciphertext = Buffer.concat([gcm.update(content), gcm.final()]);
    const tag = gcm.getAuthTag();
    const { issuer, serialDer, publicKey } = holder.certificate;
    const recipient = sequence(
      integer(0),
      sequence(issuer.der, serialDer),
      OAEP_ALGORITHM,
      octetString(wrapKey(publicKey, key)),
    );
    const parameters = more.parameters ?? sequence(octetString(NONCE), integer(tagBytes));
    const encrypted = sequence(
      oid(CONTENT.data),
      sequence(oid(cipher), parameters),
      retag(context(0, 'primitive'), octetString(ciphertext)),
    );
    const parts = [integer(0), setOf(recipient), encrypted, more.attributes ?? Buffer.alloc(0)];
    return sequence(oid(kind), explicit(0, sequence(...parts, octetString((more.tag ?? ((it) => it))(tag)))));
  }
  const opened = (made: Buffer) => buffer(openEnveloped(inPieces(made, 1000), holder));

  test.each([12, 13, 14, 15, 16])('with a tag of %i bytes opens', async (tagBytes) => {
    expect(await opened(made({ tagBytes }))).toEqual(content);
  });

  test('has a tag of 12 bytes where it does not say (RFC 5084)', async () => {
    const parameters = sequence(octetString(NONCE));
    expect(await opened(made({ tagBytes: 12, parameters }))).toEqual(content);
  });

  test('is refused when a byte of its content or its tag was changed', async () => {
    const flip = (bytes: Buffer, at: number): Buffer => {
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      return bytes;
    };
    await expect(opened(flip(made(), 5000))).rejects.toThrow(failure('wrong-key-or-changed'));
    await expect(opened(made({ tag: (tag) => flip(tag, 3) }))).rejects.toThrow(
      failure('wrong-key-or-changed'),
    );
  });

  test('is refused when its tag is shorter than it says, or than any may be', async () => {
    await expect(opened(made({ tag: (tag) => tag.subarray(0, 12) }))).rejects.toThrow(failure('malformed'));
    await expect(opened(made({ tag: () => Buffer.alloc(0) }))).rejects.toThrow(failure('malformed'));
    await expect(opened(made({ tagBytes: 4 }))).rejects.toThrow(failure('unsupported'));
  });

  test('is refused by name when it authenticates attributes too', async () => {
    const attributes = explicit(1, sequence(oid('1.2.3'), setOf(octetString(NONCE))));
    await expect(opened(made({ attributes }))).rejects.toThrow(
      /AuthEnvelopedData with authenticated attributes/,
    );
  });

  // Downgrade from AEAD to CBC: the bytes that come out would tell what the other cipher hides.
  test('is refused when it is presented as an EnvelopedData, or has a cipher of that', async () => {
    const cbc = { cipher: '2.16.840.1.101.3.4.1.42', parameters: octetString(randomBytes(16)) };
    for (const wrong of [
      { kind: CONTENT.envelopedData },
      cbc,
      { kind: CONTENT.envelopedData, parameters: cbc.parameters },
    ])
      await expect(opened(made(wrong))).rejects.toThrow(failure('unsupported'));
  });

  test('is refused when its nonce is none, or longer than any', async () => {
    for (const bytes of [0, 65, 100_000]) {
      const parameters = sequence(octetString(randomBytes(bytes)), integer(16));
      await expect(opened(made({ parameters }))).rejects.toThrow(failure('unsupported'));
    }
  });
});

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
