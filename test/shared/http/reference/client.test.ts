import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { SERVICES } from '../../../../shared/settings/names.ts';

type Media = { example?: unknown; examples?: Record<string, { $ref: string }> };
type Content = { content?: Record<string, Media> };
type Operation = { operationId: string; requestBody?: Content; responses: Record<string, Content> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { examples: Record<string, { value: unknown }> };
};

const run = promisify(execFile);

const folder = await mkdtemp(join(tmpdir(), 'client-'));
afterAll(() => rm(folder, { recursive: true }));

test('openapi-typescript makes types of every document that compile, and that every example is of', async () => {
  await run(process.execPath, ['clients/typescript/generate-types.ts', folder]);
  let examples = 0;
  for (const service of SERVICES) {
    const document: Document = JSON.parse(await readFile(`functions/${service}/openapi.json`, 'utf8'));
    const values = typedExamples(document);
    examples += values.length;
    const source = [`import type { operations } from './${service}.ts';`, ...values].join('\n');
    await writeFile(join(folder, `${service}-examples.ts`), source);
  }
  expect(examples).toBeGreaterThan(100);
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: STRICT, include: ['*.ts'] }),
  );
  const tsc = ['node_modules/typescript/bin/tsc', '--project', folder];
  const compiled = run(process.execPath, tsc).catch(({ stdout }) => ({ stdout }));
  expect((await compiled).stdout).toBe('');
});

const STRICT = {
  target: 'es2024',
  lib: ['esnext', 'dom'],
  module: 'nodenext',
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

/** A typed constant for each JSON example of an operation: what a client would send, and what it would be given. */
function typedExamples({ paths, components }: Document): string[] {
  const exampleIn = ({ example, examples }: Media): unknown => {
    const [reference] = Object.values(examples ?? {});
    return reference ? components.examples[reference.$ref.split('/').at(-1) ?? '']?.value : example;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return operations.flatMap(({ operationId, requestBody, responses }) => {
    const parts: [string, string, Content | undefined][] = [
      ['Request', "['requestBody']", requestBody],
      ...Object.entries(responses).map(([status, response]): [string, string, Content] => [
        status,
        `['responses'][${status}]`,
        response,
      ]),
    ];
    return parts.flatMap(([name, path, part]) => {
      const media = part?.content?.['application/json'];
      if (!media || exampleIn(media) === undefined) return [];
      const type = `NonNullable<operations['${operationId}']${path}>['content']['application/json']`;
      return [`export const ${operationId}${name}: ${type} = ${JSON.stringify(exampleIn(media))};`];
    });
  });
}
