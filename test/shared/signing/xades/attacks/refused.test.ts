import { describe, expect, test } from 'vitest';
import type { XmlRefusal } from '../../../../../shared/signing/xades/errors.ts';
import { prepareXades, type XadesOptions } from '../../../../../shared/signing/xades/prepare.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { judge, keyOf } from '../parties.ts';

const atMs = Date.now();
const { certificate, chain } = keyOf();
const prepare = (document: string | Buffer, more: Partial<XadesOptions> = {}) =>
  prepareXades(Buffer.from(document), { certificate, chain, signingTimeMs: atMs, ...more });
const refused = (reason: XmlRefusal) => expect.objectContaining({ name: 'XmlRefused', reason });

const LAUGHS = `<!DOCTYPE a [<!ENTITY a "ha">${Array.from({ length: 30 }, (_, i) => `<!ENTITY b${i} "${'&a;'.repeat(10)}">`).join('')}]><a>&b29;</a>`;
const many = (count: number, each: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => each(at)).join('');

const HOSTILE: [string, string | Buffer, XmlRefusal][] = [
  ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', 'doctype'],
  [
    'an external document type',
    '<?xml version="1.0"?>\n<!-- x --><!DOCTYPE a SYSTEM "http://evil.test/a.dtd"><a/>',
    'doctype',
  ],
  ['a billion laughs', LAUGHS, 'doctype'],
  ['a document type in UTF-16', Buffer.from(`\ufeff<!DOCTYPE a><a/>`, 'utf16le'), 'doctype'],
  ['a document type inside an element', '<a><!DOCTYPE b></a>', 'doctype'],
  ['an entity that nobody declared', '<a>&x;</a>', 'malformed'],
  ['nothing', '', 'malformed'],
  ['text', 'hello', 'malformed'],
  ['two roots', '<a/><b/>', 'malformed'],
  ['a tag that never ends', `<a>${'<b '.repeat(10)}`, 'malformed'],
  ['a comment that never ends', '<a><!-- </a>', 'malformed'],
  ['an attribute twice', '<a b="1" b="2"/>', 'malformed'],
  ['a prefix that stands for nothing', '<x:a/>', 'malformed'],
  ['bytes that are no UTF-8', Buffer.from('<a>\xff\xfe</a>', 'latin1'), 'malformed'],
  ['half a UTF-16 character', Buffer.from('\ufeff<a/>', 'utf16le').subarray(0, -1), 'malformed'],
  ['a PDF', '%PDF-1.7\n1 0 obj <</Type /Catalog>> endobj', 'malformed'],
  ['XML 1.1', '<?xml version="1.1"?><a/>', 'version'],
  ['UTF-32', Buffer.from('fffe00003c000000', 'hex'), 'encoding'],
  ['Shift_JIS', '<?xml version="1.0" encoding="Shift_JIS"?><a/>', 'encoding'],
  ['UTF-7', '<?xml version="1.0" encoding="UTF-7"?><a/>', 'encoding'],
  ['UTF-16 declared in bytes of UTF-8', '<?xml version="1.0" encoding="UTF-16"?><a/>', 'encoding'],
  [
    'ISO-8859-1 declared after a UTF-8 mark',
    '\ufeff<?xml version="1.0" encoding="ISO-8859-1"?><a/>',
    'encoding',
  ],
  [
    'UTF-8 declared in UTF-16',
    Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-8"?><a/>', 'utf16le'),
    'encoding',
  ],
  ['a relative namespace', '<a xmlns="b/c"/>', 'relative-namespace'],
  ['5,000 levels', `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}`, 'too-complex'],
  ['20,000 attributes', `<a ${many(20_000, (at) => `a${at}="" `)}/>`, 'too-complex'],
  [
    '300 namespaces over 2,000 elements',
    `<a ${many(300, (at) => `xmlns:n${at}="u:${at}" `)}>${'<b/>'.repeat(2000)}</a>`,
    'too-complex',
  ],
  ['a tree 20 times the document', `<a>${'<a/>'.repeat(1_500_000)}</a>`, 'too-complex'],
];

describe('a document is refused for', () => {
  test.each(HOSTILE)('%s, with its reason', async (_what, document, reason) => {
    await expect(prepare(document)).rejects.toEqual(refused(reason));
    if (reason !== 'relative-namespace')
      await expect(verifyXades(Buffer.from(document), { judge, atMs })).rejects.toEqual(refused(reason));
  });

  test('an element that is not there', async () => {
    await expect(prepare('<a Id="x"/>', { element: { id: 'y' } })).rejects.toEqual(
      refused('element-not-found'),
    );
    await expect(prepare('<a/>', { element: { path: '/b' } })).rejects.toEqual(refused('element-not-found'));
    await expect(prepare('<a/>', { element: { path: '/a' } })).rejects.toEqual(refused('element-not-found'));
  });

  test.each([
    '<a><b Id="x"/><c Id="x"/></a>',
    '<a><b Id="x"/><c ID="x"/></a>',
    '<a><b id="x"/><c xml:id="x"/></a>',
  ])('an identifier that two elements have: %s', async (document) => {
    await expect(prepare(document, { element: { id: 'x' } })).rejects.toEqual(refused('duplicate-id'));
    await expect(prepare(document, { element: { path: '/a/b' } })).rejects.toEqual(refused('duplicate-id'));
  });

  test.each([
    "//*[@Id='x']",
    '//b | //c',
    '/a/..',
    "document('file:///etc/passwd')",
    '//a//b',
    'a',
    '/n:a',
    '//b',
    '/',
    '',
  ])('the path %s, which is not simple or not of one element', async (path) => {
    await expect(prepare('<a><b Id="x"/><b/></a>', { element: { path } })).rejects.toMatchObject({
      name: 'XmlRefused',
      reason: 'path-not-allowed',
    });
  });

  test('an identifier with both kinds of quotes, which no search can be asked for', async () => {
    await expect(prepare('<a/>', { element: { id: `'"` } })).rejects.toEqual(refused('element-not-found'));
  });
});

describe('a document is signed although it has', () => {
  test.each([
    ['a text that only looks like a document type', '<a><![CDATA[<!DOCTYPE x>]]><!-- <!DOCTYPE x> --></a>'],
    ['a text of 12 MB', `<a>${'x'.repeat(12_000_000)}</a>`],
    ['200 levels', `${'<a>'.repeat(200)}${'</a>'.repeat(200)}`],
    ['quotes in its identifier', `<a Id="it's"/>`, { element: { id: "it's" } }],
    [
      'marks of our own in its identifier',
      `<a Id="&gt;&lt;/ds:DigestValue&gt;"/>`,
      { element: { id: '></ds:DigestValue>' } },
    ],
  ] as [string, string, Partial<XadesOptions>?][])('%s', async (_what, document, more) => {
    const { toSign } = await prepare(document, more);
    expect(toSign.toString()).not.toContain('<ds:DigestValue></ds:DigestValue>');
  });
});
