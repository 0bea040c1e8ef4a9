import { afterAll, beforeAll, expect, test } from 'vitest';
import { runVerify } from '../../../cli/verify/run.ts';
import { type ServedSandbox, serveSandbox } from '../sandbox.ts';
import { makeSamples } from './samples.ts';

let sandbox: ServedSandbox;

beforeAll(async () => {
  sandbox = await serveSandbox();
  await makeSamples(sandbox);
});
afterAll(() => sandbox.stop());

async function verify(...names: string[]) {
  const said: string[] = [];
  const complained: string[] = [];
  const code = await runVerify([...names.map(sandbox.path), '--trust', sandbox.pki('root.crt')], {
    print: (text) => said.push(text.replaceAll(`${sandbox.path('')}/`, '')),
    printError: (text) => complained.push(text.replaceAll(`${sandbox.path('')}/`, '')),
  });
  return { code, said, complained };
}

const COMMENTS =
  'commented.pdf: VALID, PAdES, 1 signature. WARNING: Comments that nobody signed were added or changed after signing, as a signer allows. Do not take them for the document.';

test('a valid file with comments says so in its first line, alone and among others', async () => {
  const { code, said } = await verify('commented.pdf');
  expect([code, said[0]?.split('\n')[0]]).toEqual([0, COMMENTS]);
  expect(said[0]).toContain('   after it     An annotation was added to page 1.');
  expect((await verify('commented.pdf', 'valid.pdf')).said).toEqual([
    COMMENTS,
    'valid.pdf: VALID, PAdES, 1 signature',
    '2 files: 2 valid, 0 not valid, 0 could not be judged; 0 skipped',
  ]);
});

test('a file with an annotation that may hide content, or does, is not valid and says why', async () => {
  const { code, said } = await verify('overlaid.pdf', 'covered.pdf');
  expect([code, said.slice(0, 2)]).toEqual([
    1,
    [
      'overlaid.pdf: COULD NOT BE JUDGED, PAdES, 1 signature. An annotation with a look of its own, which may hide content, was added to page 1. The signer allows annotations. Compare the page with the document as it was signed. The bytes are as signed.',
      'covered.pdf: NOT VALID, PAdES, 1 signature. The document was changed after it was signed. An annotation that can hide the content or show another was added to page 1.',
    ],
  ]);
  expect((await verify('overlaid.pdf')).code).toBe(2);
});

test('a signed file that was cut short is not called unsigned', async () => {
  const { code, said, complained } = await verify('cut.pdf');
  expect([code, said]).toEqual([2, []]);
  expect(complained.join()).toMatch(
    /^cut\.pdf could not be verified\. .*its end is missing: it was cut short\. Ask its sender for the file/,
  );
});
