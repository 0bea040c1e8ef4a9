import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contractFiles } from '../../../infra/contracts/write.ts';
import { SERVICES } from '../../../shared/settings/names.ts';

type Media = { example?: unknown; examples?: Record<string, { $ref: string }> };
type Operation = {
  operationId: string;
  summary: string;
  security?: object[];
  parameters?: { name: string; in: string; required: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
};
type Document = {
  info: { title: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { examples: Record<string, { value: unknown }> };
};
type Guided = { externalDocs?: { url: string } };
type Field = { key: string; value?: string; type?: string; disabled?: boolean };
type Item = {
  name: string;
  item?: Item[];
  request?: {
    method: string;
    description: string;
    auth?: { type: string };
    header: Field[];
    body?: { mode: string; raw?: string; formdata?: Field[]; urlencoded?: Field[] };
    url: { raw: string; path: string[]; query?: Field[]; variable?: Field[] };
  };
};
type Collection = Item & { auth: { apikey: Field[] }; variable: Field[] };

const files = contractFiles();
const read = (name: string) => JSON.parse(files.get(name) ?? 'null');
const collection: Collection = read('sinete.postman_collection.json');

const requestsIn = (item: Item): Item[] => (item.request ? [item] : (item.item ?? []).flatMap(requestsIn));

test('a release has the contract of every service, with the addresses that npm start has', () => {
  for (const service of SERVICES) {
    const { servers, tags, externalDocs, ...document } = read(`${service}.openapi.json`);
    const own = JSON.parse(readFileSync(`functions/${service}/openapi.json`, 'utf8'));
    expect({ ...own, ...document }).toEqual(own);
    const guides = [externalDocs, ...tags.map((tag: Guided) => tag.externalDocs)].map(({ url }) => url);
    // Files of the repository are not beside a file of a release.
    expect(guides).toEqual(
      [own, ...own.tags].map(({ externalDocs: { url } }: Required<Guided>) =>
        url.replace('../..', 'http://localhost:3000').replace(/\.md$/, ''),
      ),
    );
    expect(servers).toEqual([{ url: `http://localhost:3000/${service}` }]);
  }
});

describe.each(SERVICES)('the collection of Postman has of %s', (service) => {
  const document: Document = read(`${service}.openapi.json`);
  const folder = collection.item?.find(({ name }) => name === document.info.title);
  const requests = requestsIn(folder ?? { name: service });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ method: method.toUpperCase(), operation, path: `/${service}${path}` },
    })),
  );
  const requestOf = ({ operationId }: Operation) => {
    const [found, ...more] = requests.filter(({ request }) =>
      request?.description.endsWith(`Operation: \`${operationId}\`.`),
    );
    if (!found?.request || more.length > 0) throw new Error(`${operationId} is not there once.`);
    return { name: found.name, ...found.request };
  };

  test('every operation, and no other', () => {
    expect(requests).toHaveLength(operations.length);
    for (const { method, path, operation } of operations) {
      const request = requestOf(operation);
      expect([request.name, request.method]).toEqual([operation.summary, method]);
      expect(`/${request.url.path.join('/')}`).toBe(path.replaceAll(/\{(\w+)\}/g, ':$1'));
      expect(request.url.raw.split('?')[0]).toBe(`{{baseUrl}}/${request.url.path.join('/')}`);
      expect(request.auth?.type, operation.operationId).toBe(
        operation.security?.every((scheme) => Object.keys(scheme).length === 0) ? 'noauth' : undefined,
      );
    }
  });

  test('a value for everything that a call needs', () => {
    for (const { operation } of operations) {
      const { url, header } = requestOf(operation);
      const given = { path: url.variable ?? [], query: url.query ?? [], header };
      for (const { name, in: place, required, example } of operation.parameters ?? []) {
        const field = given[place as keyof typeof given].find(({ key }) => key === name);
        expect(field, `${operation.operationId} ${name}`).toBeDefined();
        if (place === 'query' || place === 'header') expect(field?.disabled ?? false).toBe(!required);
        if (required && place !== 'header') expect(field?.value, name).toBe(String(example));
      }
    }
  });

  test('an example of every body', () => {
    for (const { operation } of operations) {
      const { body } = requestOf(operation);
      const content = operation.requestBody?.content;
      if (!content) {
        expect(body).toBeUndefined();
        continue;
      }
      const { example, examples = {} } = content['application/json'] ?? {};
      const [reference] = Object.values(examples);
      const name = reference?.$ref.split('/').at(-1) ?? '';
      const value = reference ? document.components.examples[name]?.value : example;
      if (content['application/json']) {
        expect(value).toBeDefined();
        expect(JSON.parse(body?.raw ?? '')).toEqual(value);
      } else if (content['multipart/form-data'])
        expect([...(body?.formdata ?? []), ...(body?.urlencoded ?? [])]).not.toEqual([]);
      else expect(body?.mode, operation.operationId).toMatch(/^(file|urlencoded|raw)$/);
    }
  });
});

test('the key of an application goes with every request, in the header that services read', () => {
  expect(collection.auth.apikey).toContainEqual({ key: 'key', value: 'X-API-Key', type: 'string' });
  expect(collection.variable.map(({ key }) => key)).toEqual(['baseUrl', 'key']);
});
