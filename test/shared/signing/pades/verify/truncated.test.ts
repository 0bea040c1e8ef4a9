import { expect, test } from 'vitest';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { buildPdf, ONE_PAGE } from '../documents.ts';
import { company, messagesOf, OPTIONS, person, verify } from '../parties.ts';

const DOCUMENT = buildPdf(ONE_PAGE);

test('a signed file that lost its end is refused as cut short, and is not called unsigned', async () => {
  const signed = await signPades(DOCUMENT, person, OPTIONS);
  for (const bytes of [40, 400, 3000, signed.length - DOCUMENT.length - 20])
    await expect(verify(signed.subarray(0, -bytes))).rejects.toMatchObject({
      reason: 'broken',
      message: expect.stringMatching(/cut short/),
    });
});

test('a file that lost the end of its second signature says so of the first', async () => {
  const once = await signPades(DOCUMENT, person, OPTIONS);
  const twice = await signPades(once, company, OPTIONS);
  for (const bytes of [40, 400, twice.length - once.length - 20])
    expect(messagesOf(await verify(twice.subarray(0, -bytes))).join()).toContain(
      'or the file was cut short: its end is missing.',
    );
});

test('an unsigned file with something after its end is unsigned, and not cut short', async () => {
  for (const tail of ['', '\n\n', '\0'.repeat(40), '<!-- sent by mail -->'])
    expect(await verify(Buffer.concat([DOCUMENT, Buffer.from(tail)]))).toMatchObject({
      signatures: [],
      results: { errors: [{ message: 'The PDF holds no signature.' }] },
    });
});
