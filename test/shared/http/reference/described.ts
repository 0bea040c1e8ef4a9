import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { contractOf } from '../../../../infra/build/function-files.ts';
import { operationsOf } from '../../../../infra/contracts/operations.ts';
import { type Operation, openApiDocument } from '../../../../shared/http/reference/openapi.ts';
import { examplesOf } from '../../../../shared/http/reference/shapes.ts';
import { SERVICES } from '../../../../shared/settings/names.ts';
import { sample } from '../sample.ts';

type Media = { schema: object; example?: unknown; examples?: Record<string, { $ref: string }> };
type Described = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; required: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
};
type Document = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  components: {
    schemas: Record<string, { description?: string; examples?: unknown[] }>;
    examples: Record<string, { value: unknown }>;
  };
};

describe.each(SERVICES)('for generated clients and readers, the contract of %s', (name) => {
  let contract: Readonly<Record<string, unknown>>;
  let operations: readonly Operation[];
  let document: Document;
  let described: Described[];

  beforeAll(async () => {
    const found = await operationsOf(name);
    operations = found.operations.filter(({ declaration }) => !declaration.undocumented);
    contract = await contractOf(name);
    document = openApiDocument(found.service, operations, contract, '0.0.0') as unknown as Document;
    described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  });

  const hasExample = ({ example, examples }: Media): boolean => {
    const [reference] = Object.values(examples ?? {});
    const component = document.components.examples[reference?.$ref.split('/').at(-1) ?? ''];
    return example !== undefined || component?.value !== undefined;
  };

  test('names an operation after its file, once', () => {
    const names = operations.map(({ name: file }) => file.replaceAll('-', '').toLowerCase());
    const ids = described.map(({ operationId }) => operationId);
    expect(ids.map((id) => id.toLowerCase()).toSorted()).toEqual(names.toSorted());
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]*$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('describes every tag, and every operation has one', () => {
    const tags = document.tags.map((tag) => tag.name);
    for (const { description } of document.tags) expect(description).toMatch(/^[A-Z].*\.$/);
    for (const operation of described) expect(tags).toContain(operation.tags[0]);
    expect(new Set(described.flatMap((operation) => operation.tags))).toEqual(new Set(tags));
  });

  test('describes every operation in whole sentences', () => {
    for (const { operationId, summary, description } of described) {
      expect(summary, operationId).toMatch(/^[A-Z].*[^.]$/);
      expect(description, operationId).toMatch(/^[A-Z].*\.$/s);
    }
  });

  test('has an example for every body, every JSON answer of success and every value that a call needs', () => {
    for (const { operationId, parameters = [], requestBody, responses } of described) {
      const needed = parameters.filter((one) => one.required && one.in !== 'header');
      for (const one of needed) expect(one.example, `${operationId} ${one.name}`).toBeDefined();
      for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
        if (type !== '*/*') expect(hasExample(media), `${operationId} ${type}`).toBe(true);
      }
      for (const [status, { content = {} }] of Object.entries(responses)) {
        const json = status.startsWith('2')
          ? (content['application/json'] ?? content['text/json'])
          : undefined;
        if (json) expect(hasExample(json), `${operationId} ${status}`).toBe(true);
      }
    }
  });

  test('has a description and an example for every named schema', () => {
    for (const [schema, { description, examples }] of Object.entries(document.components.schemas)) {
      expect(schema).toMatch(/^[A-Z][A-Za-z0-9]*$/);
      expect(description, schema).toMatch(/^[A-Z].*\.$/s);
      expect(examples, schema).not.toHaveLength(0);
      expect(examples, schema).toBeDefined();
    }
  });

  test('has only examples that their own shapes take, with no field that they do not name', () => {
    const shapes = Object.entries(contract).filter(
      (entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType,
    );
    for (const [shape, zod] of shapes) {
      for (const example of examplesOf(zod)) {
        const read = zod.safeParse(example);
        expect(read.error && z.prettifyError(read.error), shape).toBeUndefined();
        // Parsing may fill in what was left out; it drops what the shape does not name.
        expect(keysIn(read.data), shape).toEqual(expect.arrayContaining(keysIn(example)));
      }
    }
    const inline = operations.flatMap(({ declaration }) => [
      ...Object.values(declaration.answers),
      ...Object.values(declaration.body?.content ?? {}),
      ...Object.values({ ...declaration.params?.shape, ...declaration.query?.shape }),
    ]);
    for (const shape of inline) {
      if (!(shape instanceof z.ZodType)) continue;
      for (const example of examplesOf(shape)) expect(shape.safeParse(example).success).toBe(true);
    }
  });
});

const keysIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

test('a document is not written while an endpoint has no tag', () => {
  const { declaration } = sample().endpoint(
    { route: 'GET /v1/things', summary: 'Things', answers: {} },
    async () => {
      throw new Error('never called');
    },
  );
  const write = (operation: Operation) => openApiDocument(sample() as never, [operation], {}, '0.0.0');
  expect(() => write({ name: 'list-things', declaration })).toThrow('list-things has no tag');
  expect(() => write({ name: 'list-things', folder: 'things', declaration })).toThrow('has no tag');
});
