import { execFile, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES as MODELS_IN } from '../../infra/contracts/models/languages.ts';
import { type ModeledDocument, modelsOf } from '../../infra/contracts/models/model.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { sharedEngine } from '../servers/shared-engine.ts';
import { blockOf, writeContracts } from './page.ts';

// The models of a release are compiled, and the programs of docs/clients.md sign a file with them: those of the languages whose
// build tools are not to be had here. The others are in programs.test.ts.

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'sinete-languages-'));
const modelsIn = (language: string) => join(folder, 'models', language);

let url: string;
beforeAll(async () => {
  ({ url } = await sharedEngine());
  writeContracts(folder);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

type Toolchain = {
  readonly heading: string;
  readonly tools: readonly string[];
  readonly program: string;
  /** Compiles the models of every service, and the program beside them. */
  readonly compile: (models: string, sources: string[], program: string) => Promise<unknown>;
  readonly run: (models: string, program: string, cwd: string) => Promise<unknown>;
};

const NEWTONSOFT = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';
const REFERENCES = ['System.Net.Http.dll', NEWTONSOFT].map((library) => `-r:${library}`);

const LANGUAGES: Readonly<Record<string, Toolchain>> = {
  php: {
    heading: 'PHP',
    tools: ['php'],
    program: 'sign.php',
    compile: async (_, sources, program) => {
      for (const source of [...sources, program]) await run('php', ['-l', source]);
    },
    run: (_, program, cwd) => run('php', [program], { cwd }),
  },
  csharp: {
    heading: 'C#',
    tools: ['mcs', 'mono'],
    program: 'Sign.cs',
    compile: (_, sources, program) => run('mcs', [...REFERENCES, `-out:${program}.exe`, ...sources, program]),
    run: (_, program, cwd) => run('mono', [`${program}.exe`], { cwd }),
  },
};

const isHere = (tool: string) => spawnSync(tool, ['--version']).error === undefined;

describe.each(Object.entries(LANGUAGES))(
  'the models in %s',
  (language, { heading, tools, program, compile, run: start }) => {
    // In CI none may be missing.
    test.skipIf(!tools.every(isHere) && !process.env.CI)('are compiled, and sign a file', async () => {
      const models = modelsIn(language);
      const sources = globSync('**/*.{php,cs}', { cwd: models }).map((path) => join(models, path));
      expect(sources).toHaveLength(SERVICES.length);
      const path = join(models, program);
      writeFileSync(path, blockOf(heading, language).replaceAll('http://localhost:3000', url));
      await compile(models, sources, path);
      cpSync('examples/two-signers/contract.pdf', join(models, 'contract.pdf'));
      await start(models, path, models);
      expect(readFileSync(join(models, 'signed.pdf'), 'latin1')).toMatch(/^%PDF[\s\S]*\/ByteRange/);
    });
  },
);

describe('a model', () => {
  const document: ModeledDocument = {
    components: {
      schemas: {
        Status: { type: 'string', enum: ['Open', 'Closed'] },
        Job: {
          type: 'object',
          description: 'A job.',
          properties: {
            id: { type: 'string' },
            status: { $ref: '#/components/schemas/Status' },
            size: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
            mixed: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
            labels: { type: 'object', additionalProperties: { type: 'string' } },
            files: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
          },
          required: ['id', 'status', 'size'],
        },
      },
    },
  };

  test('has the fields of its object; one inside it is named after its place', () => {
    const free = { optional: true, nullable: false };
    const given = { optional: false, nullable: false };
    expect(modelsOf(document)).toEqual([
      {
        name: 'Job',
        description: 'A job.',
        fields: [
          { name: 'id', type: { kind: 'string' }, ...given },
          { name: 'status', type: { kind: 'string' }, ...given },
          { name: 'size', type: { kind: 'integer' }, optional: false, nullable: true },
          { name: 'mixed', type: { kind: 'any' }, ...free },
          { name: 'labels', type: { kind: 'map', of: { kind: 'string' } }, ...free },
          { name: 'files', type: { kind: 'list', of: { kind: 'model', name: 'JobFilesItem' } }, ...free },
        ],
      },
      {
        name: 'JobFilesItem',
        description: '',
        fields: [{ name: 'name', type: { kind: 'string' }, ...free }],
      },
    ]);
  });

  test('has pointers in Go for what may be left out or null, and lists and maps that say so by nil', () => {
    expect(
      MODELS_IN.go.render('batch', modelsOf(document)),
    ).toBe(`// Code generated from the OpenAPI document of Sinete. DO NOT EDIT.

//go:build go1.24

package batch

// A job.
type Job struct {
\tId     string            \`json:"id"\`
\tStatus string            \`json:"status"\`
\tSize   *int64            \`json:"size"\`
\tMixed  any               \`json:"mixed,omitzero"\`
\tLabels map[string]string \`json:"labels,omitzero"\`
\tFiles  []JobFilesItem    \`json:"files,omitzero"\`
}

type JobFilesItem struct {
\tName *string \`json:"name,omitzero"\`
}`);
  });

  test('has a builder in Java where a record has many fields', () => {
    const text = MODELS_IN.java.render('batch', modelsOf(document));
    expect(text).toContain('public static final class Builder');
    expect(text).toContain('public Job build() { return new Job(id, status, size, mixed, labels, files); }');
    expect(text).toContain('public record JobFilesItem(String name) {}');
  });
});
