import { expect, test } from 'vitest';
import * as z from 'zod';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { fileOf, PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { openApiDocument } from '../../../../shared/http/reference/openapi.ts';
import { shapeWriter } from '../../../../shared/http/reference/shapes.ts';
import { sample } from '../sample.ts';
import { responsesOf } from './responses.ts';

const Signer = z.object({ cpf: z.string().describe('Eleven digits.'), copies: z.int().default(1) });
const Flow = z.object({ signers: z.array(Signer), note: z.string().nullable() }).describe('Who signs.');
const Query = z.object({ page: z.coerce.number().describe('From 0.').optional(), id: z.string() });

test('a shape that the contract exports is written once, under its name, and referred to', () => {
  const shapes = shapeWriter({ Flow, Signer });
  expect(shapes.reference(Flow, 'output')).toEqual({ $ref: '#/components/schemas/Flow' });
  expect(shapes.reference(z.array(Signer), 'output')).toMatchObject({
    items: { $ref: '#/components/schemas/Signer' },
  });
  const { Flow: flow, Signer: signer, ...others } = shapes.components();
  expect(others).toEqual({});
  expect(flow).toMatchObject({
    type: 'object',
    description: 'Who signs.',
    properties: { signers: { items: { $ref: '#/components/schemas/Signer' } } },
  });
  expect(signer).toMatchObject({ properties: { cpf: { type: 'string', description: 'Eleven digits.' } } });
});

test('a shape that is asked for in place is written in place, and what it refers to under its name', () => {
  const shapes = shapeWriter({ Flow, Signer });
  expect(shapes.inline(Flow, 'input')).toMatchObject({ type: 'object', required: ['signers', 'note'] });
  expect(Object.keys(shapes.components())).toEqual(['Signer']);
});

test('a shape without a name stands where it is used', () => {
  const shapes = shapeWriter({});
  expect(shapes.reference(Signer, 'input')).toMatchObject({ type: 'object', required: ['cpf'] });
  expect(shapes.components()).toEqual({});
});

test.each([
  ['input', 'output'],
  ['output', 'input'],
] as const)('a shape used both ways, %s first, is written as it is read', (first, second) => {
  const shapes = shapeWriter({ Signer });
  shapes.reference(Signer, first);
  shapes.reference(Signer, second);
  expect(shapes.components().Signer).toMatchObject({ required: ['cpf'] });
});

test('an example stands once under the name of its shape, and in place where the shape has none', () => {
  const Named = Signer.meta({ examples: [{ cpf: '52998224725', copies: 1 }] });
  const shapes = shapeWriter({ Named });
  expect(shapes.example(Named)).toEqual({ examples: { Named: { $ref: '#/components/examples/Named' } } });
  expect(shapes.examples()).toEqual({ Named: { value: { cpf: '52998224725', copies: 1 } } });
  expect(shapes.example(z.string().meta({ examples: ['a'] }))).toEqual({ example: 'a' });
  expect(shapes.example(Signer)).toEqual({});
});

test('a use of a shape that is described once more refers to it, and repeats nothing of it', () => {
  const Named = Signer.meta({ description: 'Who signs.', examples: [{ cpf: '52998224725', copies: 1 }] });
  const shapes = shapeWriter({ Named });
  expect(shapes.reference(z.object({ first: Named.describe('Who signs first.') }), 'output')).toMatchObject({
    properties: { first: { $ref: '#/components/schemas/Named', description: 'Who signs first.' } },
  });
  expect(
    JSON.stringify(shapes.reference(z.object({ first: Named.describe('First.') }), 'output')),
  ).not.toContain('examples');
  expect(shapes.components().Named).toMatchObject({ description: 'Who signs.' });
});

test('an operation tells all that its declaration does', () => {
  const endpoint = sample().endpoint(
    {
      route: 'POST /v1/things/{thing}/files/{path+}',
      summary: 'Thing',
      description: 'More of it.',
      query: Query,
      body: jsonBody(Flow),
      answers: { 200: fileOf('application/pdf', 'text/plain'), 201: Signer, 203: PAGE, 302: REDIRECT },
      refuses: ['Refused'],
      permission: 'things',
      tag: 'service',
    },
    async () => ({ cpf: '' }),
  );
  const operation = { name: 'create-thing-file', declaration: endpoint.declaration };
  const document = openApiDocument(sample() as never, [operation], { Flow, Query }, '1.2.3');
  expect(document).toMatchObject({
    info: { title: 'Sample', version: '1.2.3' },
    servers: [{ url: '/sandbox' }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
  });
  const paths = document.paths as Record<string, { post: Record<string, unknown> }>;
  expect(Object.keys(paths)).toEqual(['/v1/things/{thing}/files/{path}']);
  const { responses, ...described } = Object.values(paths)[0]?.post ?? {};
  expect(described).toEqual({
    operationId: 'createThingFile',
    tags: ['Service'],
    summary: 'Thing',
    description: 'More of it.',
    parameters: [
      { name: 'thing', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'path', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'page', in: 'query', required: false, description: 'From 0.', schema: { type: 'number' } },
      { name: 'id', in: 'query', required: true, schema: { type: 'string' } },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Flow' } } },
    },
  });
  const shared = responsesOf<{ content?: object }>(document as never, { responses } as never);
  const contents = Object.entries(shared).map(([status, { content }]) => [
    Number(status),
    Object.keys(content ?? {}),
  ]);
  expect(Object.fromEntries(contents)).toEqual({
    200: ['application/pdf', 'text/plain'],
    201: ['application/json'],
    203: ['text/html'],
    302: [],
    400: ['application/json'],
    401: ['application/json'],
    403: ['application/json'],
    408: ['application/json'],
    413: ['application/json'],
    415: ['application/json'],
    422: ['application/json'],
    429: ['application/json'],
    500: ['application/json'],
    503: ['application/json'],
  });
});
