import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskText, redact } from '../../../shared/log/redact.ts';

describe('keys', () => {
  test.each([
    ...['pin', 'PIN', 'userPin', 'pin_code', 'password', 'newPassword', 'userpassword', 'passphrase'],
    ...['secret', 'client_secret', 'accessToken', 'access_token', 'accesstoken', 'Authorization', 'apiKey'],
    ...['X-API-Key', 'APIKey', 'api_key', 'Set-Cookie', 'cookies', 'sessionId', 'privateKey', 'otp', 'pfx'],
    ...[
      'document',
      'signedDocument',
      'documents',
      'certificate',
      'certificates',
      'content',
      'body',
      'rawBody',
    ],
    ...['requestPayload', 'photo', 'documentBase64'],
  ])('%s is redacted', (key) => {
    expect(redact({ [key]: 'x' })).toEqual({ [key]: '[redacted]' });
  });

  test.each([
    ...['documentId', 'contentType', 'contentLength', 'bodyBytes', 'certificateStatus', 'pinAttempts'],
    ...[
      'tokenExpiresAt',
      'cookieName',
      'shippingMethod',
      'opinion',
      'requestId',
      'cpf',
      'bucket',
      'documentCount',
    ],
  ])('%s is kept', (key) => {
    expect(redact({ [key]: 'x' })).toEqual({ [key]: 'x' });
  });

  test('a PIN that is a number is redacted; a yes or no and a count of documents are kept', () => {
    expect(redact({ pin: 1234, hasToken: true, documents: 3 })).toEqual({
      pin: '[redacted]',
      hasToken: true,
      documents: 3,
    });
  });
});

describe('text', () => {
  test.each([
    ['a private key', '-----BEGIN PRIVATE KEY-----\nleak\n-----END PRIVATE KEY-----'],
    ['a certificate cut before its end', '-----BEGIN CERTIFICATE-----\nleak'],
    ['an Authorization header', 'Authorization: Token leak'],
    ['a cookie inside JSON', '{"headers":{"cookie":"a=leak; b=leak"}}'],
    ['a PIN inside quoted JSON', '{\\"pin\\":\\"leak\\"}'],
    ['a password of two words', '"password": "leak leak"'],
    ['a form', 'password=leak&x=1'],
    ['a link back from a provider', 'https://x/return?code=leak&state=leak'],
    ['a JWT', 'eyJhbGciOiJub25lIn0.leak.leak'],
    ['a file in base64', `JVBERi0${'leak'.repeat(60)}`],
  ])('%s loses its secret', (_, text) => {
    expect(maskText(text)).not.toContain('leak');
    expect(maskText(text)).toContain('[redacted]');
  });

  test.each([
    'The vault certificate {"cpf":"52998224725","sha256":"ab"} was changed by another writer first.',
    'No certificate of SANDBOX HOLDER:529.982.247-25.',
    'https://platform/api/documents?q=52998224725&limit=50',
    'CERTIFICATES#52998224725',
  ])('a CPF keeps its check digits alone: %s', (text) => {
    expect(maskText(text)).not.toMatch(/529\.?982\.?247/);
    expect(maskText(text)).toContain('***.982.247-**');
  });

  test('a number of eleven digits that is no CPF, and one inside a longer text, are kept', () => {
    for (const text of ['took 52998224724', 'at 1529982247250', 'hash a52998224725f'])
      expect(maskText(text)).toBe(text);
  });

  test('text without secrets is kept as it is', () => {
    const text = `Unexpected token 'x' at 3: hash ${'ab'.repeat(32)} of sinete-local-session`;
    expect(maskText(text)).toBe(text);
  });

  test('long text is cut and says how long it was', () => {
    const masked = maskText('word '.repeat(10_000));
    expect(masked).toHaveLength(2_000 + '… (50000 characters)'.length);
    expect(masked).toContain('(50000 characters)');
  });
});

describe('values', () => {
  test('bytes, circles, depth, long lists and odd objects are told, not printed', () => {
    const circle: Record<string, unknown> = { name: 'a' };
    circle.self = circle;
    const deep = { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } };
    const angry = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(
      redact({ file: Buffer.alloc(9), circle, deep, list: Array(25).fill(1), map: new Map(), angry, n: 10n }),
    ).toEqual({
      file: '[9 bytes]',
      circle: { name: 'a', self: '[circular]' },
      deep: { a: { b: { c: { d: { e: { f: '[deep]' } } } } } },
      list: [...Array(20).fill(1), '[5 more]'],
      map: '[Map]',
      angry: '[unreadable]',
      n: '10',
    });
  });

  test('a line stays small whatever it is given', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`k${i}`, Array(20).fill({ a: [1, 2] })]),
    );
    const line = JSON.stringify(redact({ a: wide, b: wide, c: wide, d: wide, e: wide }));
    expect(line.length).toBeLessThan(20_000);
  });

  test('anything at all can be logged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything({ withBigInt: true, withDate: true })), (fields) => {
        JSON.stringify(redact(fields));
      }),
    );
  });
});
