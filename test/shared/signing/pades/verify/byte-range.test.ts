import { describe, expect, test } from 'vitest';
import { hashOf } from '../../../../../shared/signing/digest.ts';
import { completePades } from '../../../../../shared/signing/pades/complete.ts';
import { preparePades } from '../../../../../shared/signing/pades/prepare.ts';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { buildPdf, ONE_PAGE, plainPdf } from '../documents.ts';
import { appendSignedSave, aroundContents, type Forgery, forge, type Parts } from '../forge.ts';
import { company, messagesOf, OPTIONS, person, personAgain, verify } from '../parties.ts';
import { appendUpdate, replaceText } from '../tamper.ts';

const original = buildPdf(ONE_PAGE);

test('a file signed by the forger’s own hand, as it should be, is valid', async () => {
  expect((await verify(await forge(original, {}))).valid).toBe(true);
});

const FORGERIES: Record<string, Forgery> = {
  'begins after the beginning': {
    range: ({ file, contentsStart, contentsEnd }) => [
      9,
      contentsStart - 9,
      contentsEnd,
      file.length - contentsEnd,
    ],
    signs: (parts) => aroundContents(parts).subarray(9),
  },
  'begins after the beginning and reaches into the signature': {
    range: ({ file, contentsStart, contentsEnd }) => [
      9,
      contentsStart,
      contentsEnd,
      file.length - contentsEnd,
    ],
  },
  'has more numbers than four': {
    range: ({ file, contentsStart, contentsEnd }) => [
      0,
      contentsStart,
      contentsEnd,
      file.length - contentsEnd,
      0,
      0,
    ],
  },
  'leaves out more than the signature, before it': {
    range: ({ file, contentsStart, contentsEnd }) => [
      0,
      contentsStart - 4,
      contentsEnd,
      file.length - contentsEnd,
    ],
    signs: ({ file, contentsStart, contentsEnd }) =>
      Buffer.concat([file.subarray(0, contentsStart - 4), file.subarray(contentsEnd)]),
  },
  'leaves out more than the signature, after it': {
    range: ({ file, contentsStart, contentsEnd }) => [
      0,
      contentsStart,
      contentsEnd + 8,
      file.length - contentsEnd - 8,
    ],
    signs: ({ file, contentsStart, contentsEnd }) =>
      Buffer.concat([file.subarray(0, contentsStart), file.subarray(contentsEnd + 8)]),
  },
  'leaves out less than the signature': {
    range: ({ file, contentsStart, contentsEnd }) => [
      0,
      contentsStart + 1,
      contentsEnd - 1,
      file.length - contentsEnd + 1,
    ],
    signs: ({ file, contentsStart, contentsEnd }) =>
      Buffer.concat([file.subarray(0, contentsStart + 1), file.subarray(contentsEnd - 1)]),
  },
  'overlaps itself': {
    range: ({ file, contentsStart }) => [
      0,
      contentsStart,
      contentsStart - 50,
      file.length - contentsStart + 50,
    ],
    signs: ({ file, contentsStart }) =>
      Buffer.concat([file.subarray(0, contentsStart), file.subarray(contentsStart - 50)]),
  },
  'goes past the end': {
    range: ({ contentsStart, contentsEnd, file }) => [0, contentsStart, contentsEnd, file.length],
  },
  'ends before the end of the document': {
    range: ({ file, contentsStart, contentsEnd }) => [
      0,
      contentsStart,
      contentsEnd,
      file.length - contentsEnd - 20,
    ],
    signs: (parts) => aroundContents(parts).subarray(0, -20),
  },
  'ends right after the signature': {
    range: ({ contentsStart, contentsEnd }) => [0, contentsStart, contentsEnd, 0],
    signs: ({ file, contentsStart }) => file.subarray(0, contentsStart),
  },
  'has two gaps': {
    range: ({ contentsStart, contentsEnd, file }) => [
      0,
      contentsStart,
      contentsEnd,
      9,
      contentsEnd + 10,
      file.length - contentsEnd - 10,
    ],
  },
  'has one number': { range: () => [0] },
  'is empty': { range: () => [] },
  'is all zeros': { range: () => [0, 0, 0, 0], signs: () => Buffer.alloc(0) },
  'counts backwards': { range: ({ contentsStart, contentsEnd }) => [0, contentsStart, contentsEnd, -5] },
  'has names for numbers': {
    range: ({ contentsStart, contentsEnd }) => [0, contentsStart, contentsEnd, '/a'],
  },
  'points elsewhere for its numbers': {
    range: ({ contentsStart, contentsEnd }) => [0, contentsStart, contentsEnd, '4 0 R'],
  },
};

test.each(Object.entries(FORGERIES))(
  'a signature is worth nothing when its /ByteRange %s',
  async (_, forgery) => {
    const report = await verify(await forge(original, forgery));
    expect(report.valid).toBe(false);
    const [signature] = report.signatures;
    expect(signature?.intact && signature.unmodified).toBe(false);
    // The reason is the /ByteRange, and not only a different hash.
    expect(messagesOf(report).join()).toMatch(/ByteRange|not a whole document/);
  },
);

const CONTENTS: Record<string, Forgery> = {
  'is empty': { contents: () => Buffer.alloc(100) },
  'is something else': { contents: () => Buffer.from('not a signature') },
  'is over content of its own': { eContent: Buffer.from('other content') },
  'claims to hold a hash and does not': { subFilter: 'adbe.pkcs7.sha1' },
  'claims to hold another hash': {
    subFilter: 'adbe.pkcs7.sha1',
    eContent: hashOf('sha1', Buffer.from('other')),
  },
  'has two signers': { cosigned: true },
  'claims to be a timestamp': { subFilter: 'ETSI.RFC3161' },
};

describe('a signature is worth nothing when its /Contents', () => {
  test.each(Object.entries(CONTENTS))('%s', async (_, forgery) => {
    const report = await verify(await forge(original, forgery));
    expect([report.valid, report.signatures[0]?.intact]).toEqual([false, false]);
  });

  test('is not hexadecimal digits alone', async () => {
    const signed = await forge(original, {});
    for (const hidden of ['00 0>', '00\n0>'])
      expect((await verify(replaceText(signed, '0000>', hidden))).valid).toBe(false);
  });
});

test.each(['adbe.x509.rsa_sha1', 'ETSI.unknown', '#20'])(
  'a signature of the kind %s is reported as not supported, and neither as whole nor as broken',
  async (subFilter) => {
    const hidden = (): Buffer => Buffer.from('not a structure at all');
    const report = await verify(await forge(original, { subFilter, contents: hidden }));
    expect(report.valid).toBe(false);
    expect(report.signatures[0]).toMatchObject({ intact: undefined, valid: false });
    expect(messagesOf(report).join()).toMatch(/could not be checked.*not supported here/);
  },
);

test('a signature that is not supported may follow ours where it shows nothing, and only there', async () => {
  const signed = await signPades(original, person, OPTIONS);
  const visible = { lines: ['Valor: R$ 999'], place: { page: 1, x: 50, y: 740, width: 300, height: 50 } };
  const outcomeOf = async (forgery: Forgery) => {
    const later = await forge(signed, { ...forgery, subFilter: 'adbe.x509.rsa_sha1', by: company });
    return (await verify(later)).signatures.map(({ intact, unmodified }) => [intact, unmodified]);
  };
  const unchecked = [undefined, true];
  expect(await outcomeOf({})).toEqual([[true, true], unchecked]);
  expect(await outcomeOf({ visible })).toEqual([[true, false], unchecked]);
});

test('a signature of older programs, plain PKCS#7 over the file, is understood', async () => {
  const report = await verify(await forge(original, { subFilter: 'adbe.pkcs7.detached' }));
  expect(report.valid).toBe(true);
});

test('a signature over the SHA-1 hash of the file is not valid today, whatever its own digest', async () => {
  const eContent = (parts: Parts): Buffer => hashOf('sha1', aroundContents(parts));
  const report = await verify(await forge(original, { subFilter: 'adbe.pkcs7.sha1', eContent }));
  expect(report).toMatchObject({ valid: false, signatures: [{ digest: 'sha256', intact: true }] });
  expect(report.signatures[0]?.results.errors.map(({ message }) => message).join()).toContain('SHA-1');
});

test('a signature copied into a second dictionary covers nothing', async () => {
  const signed = await signPades(original, person, OPTIONS);
  const dictionary = /<<\/Type\/Sig.*?>>(?=\nendobj)/s.exec(signed.toString('latin1'))?.[0] ?? '';
  const attacked = appendUpdate(signed, {
    objects: {
      1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[40 0 R]/SigFlags 3>>>>',
      3: ONE_PAGE[3].replace('/Contents', '/Annots[40 0 R]/Contents'),
      4: '<</Length 9>>\nstream\nBT ET    \nendstream',
      40: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Signature1)/V 41 0 R/P 3 0 R/Rect[0 0 0 0]>>',
      41: dictionary,
    },
  });
  const report = await verify(attacked);
  expect(report.valid).toBe(false);
  expect(report.signatures.filter(({ valid }) => valid)).toEqual([]);
  expect(messagesOf(report).join()).toContain('which are not its /Contents');
});

test('a signature that the signed document does not show covers nothing', async () => {
  const loose = await appendSignedSave(original, () => undefined);
  const shown = appendUpdate(loose, {
    objects: {
      1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[40 0 R]/SigFlags 3>>>>',
      40: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Signature1)/V 6 0 R/P 3 0 R/Rect[0 0 0 0]>>',
    },
  });
  const report = await verify(shown);
  expect(report.signatures[0]).toMatchObject({ intact: true, unmodified: false });
  expect(messagesOf(report).join()).toContain('was not in the document');
});

test('a replaced certificate does not pass, not even another one of the same key', async () => {
  for (const other of [personAgain, company]) {
    const { certificate, chain } = person;
    const { state, increment, digest, hash } = preparePades(original, { ...OPTIONS, certificate, chain });
    const certificates = [other.certificate, ...other.chain].map(({ der }) => der.toString('base64'));
    const signature = await person.signHash(digest, hash);
    const appended = await completePades({ ...state, certificates }, signature, { increment });
    expect((await verify(Buffer.concat([original, appended]))).valid).toBe(false);
  }
});

test('a flipped bit anywhere in what is signed is noticed', async () => {
  const file = await plainPdf('table', { form: true });
  const signed = await signPades(file, person, OPTIONS);
  const { contentsAt, contentsBytes } = preparePades(file, { ...OPTIONS, ...person }).state;
  const isInHole = (at: number): boolean => at > contentsAt && at < contentsAt + 2 * contentsBytes + 1;
  // Every byte that signing wrote, and a sample of the others.
  for (let at = 0; at < signed.length; at += at < file.length - 200 ? 13 : 1) {
    if (isInHole(at)) continue;
    const flipped = Buffer.from(signed);
    flipped.writeUInt8((flipped[at] ?? 0) ^ (1 << (at % 8)), at);
    const outcome = await verify(flipped).catch((error: unknown) => error);
    expect(outcome, `byte ${at}`).not.toMatchObject({ valid: true });
    if (outcome instanceof Error) expect(outcome.name).toBe('PdfRefused');
  }
});
