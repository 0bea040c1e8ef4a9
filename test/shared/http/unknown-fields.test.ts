import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { jsonBody } from '../../../shared/http/body/reader.ts';
import { takesNeutral, unknownFields } from '../../../shared/http/unknown-fields.ts';
import { pathId } from '../../../shared/http/validate.ts';
import { call } from '../../requests/http-event.ts';
import { sample } from './sample.ts';

const Shape = z.object({
  name: z.string(),
  tags: z.array(z.union([z.string(), z.object({ label: z.string() })])).nullish(),
  place: z.object({ x: z.number() }).default({ x: 0 }),
  open: z.unknown(),
  several: z.union([z.array(z.string()), z.object({ only: z.string() })]).optional(),
});

describe('unknownFields', () => {
  test.each([
    ['a field that is known', { name: 'a' }, []],
    ['one that is not', { name: 'a', other: 1 }, ['other']],
    ['one in a list', { tags: ['a', { label: 'b', other: 'c' }] }, ['tags.1.other']],
    ['one in an object that has a default', { place: { x: 1, other: true } }, ['place.other']],
    ['one in an object that might be a list', { several: { other: 1 } }, ['several.other']],
    ['anything in a field that may be anything', { open: { whatever: 1 } }, []],
    [
      'a name that every object has',
      JSON.parse('{"constructor":1,"__proto__":{"a":1}}'),
      ['constructor', '__proto__'],
    ],
    ['the number 0 and an empty object, which ask for something', { a: 0, b: {} }, ['a', 'b']],
    ['null, false, an empty text or list, which do not', { a: null, b: false, c: '', d: [] }, []],
    ['a value of another shape, which validation refuses', 'text', []],
  ])('finds %s', (_, value, found) => {
    expect(unknownFields(Shape, value).map((path) => path.join('.'))).toEqual(found);
  });

  test.each(['query', 'form'] as const)('takes the defaults of a %s, which are texts', (notation) => {
    const sent = { a: '', b: 'false', c: 'False', d: 'null', e: ['', 'null'], f: '0', g: 'no', h: ['', 'x'] };
    expect(unknownFields(Shape, sent, notation)).toEqual([['f'], ['g'], ['h']]);
  });

  test('takes values that a shape declares neutral, in names of any case, and no others', () => {
    const shape = takesNeutral(Shape, { kind: ['Normal', {}] }).meta({ description: 'x' });
    expect(unknownFields(shape, { kind: 'Normal' })).toEqual([]);
    expect(unknownFields(shape, { Kind: {} })).toEqual([]);
    expect(unknownFields(shape, { Kind: 'Other' })).toEqual([['Kind']]);
    expect(unknownFields(z.object({ inner: shape.nullish() }), { inner: { kind: 'x' } })).toEqual([
      ['inner', 'kind'],
    ]);
    expect(unknownFields(z.object({ kind: shape }), { Kind: 'Normal' })).toEqual([['Kind']]);
  });

  test.each([
    ['the same value, as serializers that write a field twice do', { name: 'a', Name: 'a' }, []],
    ['the same list', { tags: ['a'], TAGS: ['a'] }, []],
    ['another value', { name: 'a', Name: 'b' }, ['Name']],
    ['no field beside it', { Name: 'a' }, ['Name']],
    ['the same value, in a list', { tags: [{ label: 'b', Label: 'b' }] }, []],
  ])('judges a known name in another case by what stands beside it: %s', (_, value, found) => {
    expect(unknownFields(Shape, value).map((path) => path.join('.'))).toEqual(found);
  });

  test('knows a field that a preprocessor renames', () => {
    const lower = z.preprocess(
      (value) => Object.fromEntries(Object.entries(value as object).map(([k, v]) => [k.toLowerCase(), v])),
      z.object({ status: z.string() }),
    );
    expect(unknownFields(lower, { Status: 'a', Other: 'b' })).toEqual([['other']]);
  });
});

const declared = {
  route: 'POST /things/{id}' as const,
  summary: 'A thing',
  params: z.object({ id: pathId() }),
  body: jsonBody(z.object({ name: z.string() })),
  answers: { 200: z.object({ name: z.string() }) },
  access: 'public' as const,
};
const sent = { params: { id: '4' }, path: '/things/4', json: { name: 'a', other: true }, query: { by: 'b' } };

test('a service that does not say otherwise ignores fields and query values that it does not know', async () => {
  const handler = sample().endpoint(declared, async ({ body }) => body);
  const { status, json } = await call(handler, sent);
  expect([status, json()]).toEqual([200, { name: 'a' }]);
});

test('a service that refuses them names the option, the query first', async () => {
  const handler = sample({ unknownOptions: 'Refused' }).endpoint(declared, async ({ body }) => body);
  expect((await call(handler, sent)).json()).toMatchObject({ code: 'Refused', details: { option: 'by' } });
  const { status, json } = await call(handler, { ...sent, query: {} });
  expect([status, json()]).toMatchObject([422, { code: 'Refused', details: { option: 'other' } }]);
});

test('an operation of it that ignores them takes them: a probe, or an event of another system', async () => {
  const open = { ...declared, ignoresUnknownOptions: true };
  const handler = sample({ unknownOptions: 'Refused' }).endpoint(open, async ({ body }) => body);
  expect((await call(handler, sent)).status).toBe(200);
});

test('a page of such a service takes what others add to its link', async () => {
  const page = { ...declared, undocumented: true };
  const handler = sample({ unknownOptions: 'Refused' }).endpoint(page, async ({ body }) => body);
  expect((await call(handler, sent)).status).toBe(200);
});

test('a word where an id belongs is an unknown path, and anything else an id', async () => {
  const handler = sample().endpoint(declared, async ({ body }) => body);
  const at = async (id: string) => (await call(handler, { ...sent, params: { id } })).status;
  expect([await at('batch'), await at('notify-pending'), await at('4'), await at('a1')]).toEqual([
    404, 404, 200, 200,
  ]);
});
