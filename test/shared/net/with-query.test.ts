import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withQuery } from '../../../shared/net/with-query.ts';
import { runs } from '../../faults/fuzz.ts';

describe('a user is sent back', () => {
  test.each([
    ['https://a.example', 'https://a.example?session=v'],
    ['https://a.example/r', 'https://a.example/r?session=v'],
    ['https://a.example/r?b=1', 'https://a.example/r?b=1&session=v'],
    ['https://a.example/r?', 'https://a.example/r?session=v'],
    ['https://a.example/r?b=%20&', 'https://a.example/r?b=%20&session=v'],
    ['https://a.example/r#top', 'https://a.example/r?session=v#top'],
    ['https://a.example/r?b=1#top#2', 'https://a.example/r?b=1&session=v#top#2'],
    ['https://a.example/ação', 'https://a.example/a%C3%A7%C3%A3o?session=v'],
    ['app:/r', 'app:/r?session=v'],
    ['https://a.example/?/signed&a=b%20c', 'https://a.example/?/signed&a=b%20c&session=v'],
    ['https://a.example/#/done?x#y', 'https://a.example/?session=v#/done?x#y'],
    ['https://a.example/r?b=?', 'https://a.example/r?b=?&session=v'],
  ])('to %s as %s', (uri, expected) => {
    expect(withQuery(uri, { session: 'v' })).toBe(expected);
  });

  test('to the same place, with every value that was there and the one more', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        fc.string(),
        (uri, value) => {
          const [before, after] = [new URL(uri), new URL(withQuery(uri, { error: value }))];
          expect([after.origin, after.pathname, after.hash]).toEqual([
            before.origin,
            before.pathname,
            before.hash,
          ]);
          expect([...after.searchParams]).toEqual([...before.searchParams, ['error', value.toWellFormed()]]);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
