import { beforeAll, describe, expect, test } from 'vitest';
import { contractOf } from '../../../../infra/build/function-files.ts';
import { operationsOf } from '../../../../infra/contracts/operations.ts';
import type { Declaration } from '../../../../shared/http/declaration.ts';
import type { Service } from '../../../../shared/http/endpoint.ts';
import { openApiDocument } from '../../../../shared/http/reference/openapi.ts';
import { SERVICES } from '../../../../shared/settings/names.ts';
import { responsesOf } from './responses.ts';

type Operation = {
  operationId: string;
  security?: unknown[];
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, object> };
  responses: Record<
    string,
    { description: string; headers: object; content?: Record<string, { schema: object }> }
  >;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  security: object[];
  components: {
    schemas: Record<string, object>;
    responses: Record<string, object>;
    securitySchemes: Record<string, { in: string }>;
  };
};

describe.each(SERVICES)('the contract of %s', (name) => {
  let service: Service;
  let declarations: Declaration[];
  let document: Document;

  beforeAll(async () => {
    const { operations, ...found } = await operationsOf(name);
    service = found.service;
    declarations = operations
      .map(({ declaration }) => declaration)
      .filter(({ undocumented }) => !undocumented);
    document = openApiDocument(service, operations, await contractOf(name), '0.0.0') as unknown as Document;
  });

  const operationOf = ({ route }: Declaration): Operation => {
    const [method = '', path = ''] = route.split(' ');
    const operation = document.paths[path.replace('+}', '}')]?.[method.toLowerCase()];
    if (!operation) throw new Error(`${route} is not documented.`);
    return { ...operation, responses: responsesOf(document, operation) };
  };

  test('documents every code that an operation declares, at each of its statuses', () => {
    for (const declaration of declarations) {
      const { responses } = operationOf(declaration);
      for (const code of declaration.refuses ?? []) {
        const statuses = service.errors.statuses(code);
        expect(statuses.length, `${declaration.route} ${code}`).toBeGreaterThan(0);
        for (const status of statuses) {
          expect(responses[status]?.description, `${declaration.route} ${status}`).toContain(`\`${code}\``);
        }
      }
    }
  });

  test('documents what the framework itself may refuse', () => {
    for (const declaration of declarations) {
      const { responses } = operationOf(declaration);
      const situations = { ...service.situations, ...declaration.situations };
      const told = JSON.stringify(responses);
      expect(told).toContain(situations.unexpected);
      const { access, refuses = [] } = declaration;
      expect(told.includes(`\`${situations.unauthorized}\``)).toBe(
        access !== 'public' || refuses.includes(situations.unauthorized),
      );
      if (declaration.body) expect(told).toContain(situations.tooLarge);
      if (declaration.rate) expect(told).toContain(situations.rateLimited);
      if (declaration.permission || (access !== 'public' && service.may))
        expect(told).toContain(situations.forbidden);
    }
  });

  test('asks for no key exactly where none is needed', () => {
    for (const declaration of declarations) {
      const { access } = declaration;
      const credentials =
        declaration.credentials ?? (typeof access === 'function' ? [['key' as const], []] : undefined);
      const schemes = Object.keys(document.components.securitySchemes).map((scheme) => ({ [scheme]: [] }));
      const sets = credentials?.flatMap((set) => (set.includes('key') ? schemes : [{}]));
      expect(operationOf(declaration).security).toEqual(access === 'public' ? [] : sets);
    }
  });

  // Generated clients have one setting for every security scheme that is a key in a header, and send it in all.
  test('has one key in a header, and any other credential as a parameter', () => {
    const schemes = Object.entries(document.components.securitySchemes);
    expect(schemes.filter(([, scheme]) => scheme.in === 'header').map(([name]) => name)).toEqual(['key']);
    expect(document.security).toEqual(schemes.map(([name]) => ({ [name]: [] })));
  });

  test('documents what each scheme refuses, on the operations that ask for a credential', () => {
    for (const declaration of declarations.filter(({ access }) => access !== 'public')) {
      const told = JSON.stringify(operationOf(declaration).responses);
      const [method = ''] = declaration.route.split(' ');
      for (const code of service.authenticate.refuses?.(method) ?? []) expect(told).toContain(`\`${code}\``);
    }
  });

  test('types every file that is answered as binary', () => {
    for (const declaration of declarations) {
      for (const [status, shape] of Object.entries(declaration.answers)) {
        if (!('kind' in shape) || shape.kind !== 'file') continue;
        const { content = {} } = operationOf(declaration).responses[status] ?? {};
        const schemas = Object.values(content).map(({ schema }) => schema);
        expect(schemas).toEqual(shape.mediaTypes.map(() => ({ type: 'string', format: 'binary' })));
      }
    }
  });

  test('names every query value, every part of a path and every header', () => {
    for (const declaration of declarations) {
      const named = (operationOf(declaration).parameters ?? []).map((one) => `${one.in} ${one.name}`);
      const inPath = [...declaration.route.matchAll(/\{(\w+)\+?\}/g)].map(([, part]) => `path ${part}`);
      const inQuery = Object.keys(declaration.query?.shape ?? {}).map((one) => `query ${one}`);
      const credentials = (declaration.credentials ?? []).flat();
      const headers = credentials.flatMap((each) => (each === 'key' ? [] : [`header ${each.header}`]));
      const once = declaration.once ? ['header Idempotency-Key'] : [];
      expect(named.toSorted()).toEqual([...inPath, ...inQuery, ...new Set(headers), ...once].toSorted());
    }
  });

  test('has a correlation id on every answer, and an operation id for each', () => {
    const operations = declarations.map(operationOf);
    for (const { responses } of operations) {
      for (const { headers } of Object.values(responses)) expect(headers).toHaveProperty('X-Correlation-Id');
    }
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  test('refers only to what it holds, and holds nothing that only refers to itself', () => {
    const { schemas } = document.components;
    const refs = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, ref]) => ref,
    );
    for (const ref of refs) expect(schemas).toHaveProperty(ref as string);
    for (const [component, schema] of Object.entries(schemas)) {
      expect(schema).not.toHaveProperty('$ref');
      expect(refs, component).toContain(component);
    }
  });
});
