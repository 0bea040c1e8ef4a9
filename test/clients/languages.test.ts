import { execFile, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ModeledDocument, modelsOf } from '../../infra/contracts/models/model.ts';
import { contractFiles } from '../../infra/contracts/write.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { sharedEngine } from '../servers/shared-engine.ts';

// The models of a release are compiled, and the programs of docs/clients.md sign a file with them.

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'sinete-languages-'));
const modelsIn = (language: string) => join(folder, 'models', language);

const PAGE = readFileSync('docs/clients.md', 'utf8');
const programIn = (language: string) =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(PAGE)?.[1] ?? '';

let url: string;
beforeAll(async () => {
  ({ url } = await sharedEngine());
  for (const [name, text] of contractFiles()) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

type Toolchain = {
  readonly tools: readonly string[];
  readonly program: string;
  /** Compiles the models of every service, and the program beside them. */
  readonly compile: (models: string, sources: string[], program: string) => Promise<unknown>;
  readonly run: (models: string, program: string, cwd: string) => Promise<unknown>;
};

const JACKSON = ['annotations', 'core', 'databind'].map((part) => `/usr/share/java/jackson-${part}.jar`);
// A compiler that runs once is not worth compiling.
const JAVAC = ['-J-XX:TieredStopAtLevel=1', '-proc:none'];
const NEWTONSOFT = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';
const REFERENCES = ['System.Net.Http.dll', NEWTONSOFT].map((library) => `-r:${library}`);

const LANGUAGES: Readonly<Record<string, Toolchain>> = {
  python: {
    tools: ['python3'],
    program: 'sign.py',
    compile: (_, sources, program) => run('python3', ['-m', 'py_compile', ...sources, program]),
    run: (models, program, cwd) =>
      run('python3', [program], { cwd, env: { ...process.env, PYTHONPATH: models } }),
  },
  php: {
    tools: ['php'],
    program: 'sign.php',
    compile: async (_, sources, program) => {
      for (const source of [...sources, program]) await run('php', ['-l', source]);
    },
    run: (_, program, cwd) => run('php', [program], { cwd }),
  },
  java: {
    tools: ['javac', 'java'],
    program: 'Sign.java',
    compile: (models, sources, program) =>
      run('javac', [...JAVAC, '-cp', JACKSON.join(':'), '-d', models, ...sources, program]),
    run: (models, _, cwd) => run('java', ['-cp', [models, ...JACKSON].join(':'), 'Sign'], { cwd }),
  },
  csharp: {
    tools: ['mcs', 'mono'],
    program: 'Sign.cs',
    compile: (_, sources, program) => run('mcs', [...REFERENCES, `-out:${program}.exe`, ...sources, program]),
    run: (_, program, cwd) => run('mono', [`${program}.exe`], { cwd }),
  },
};

const isHere = (tool: string) => spawnSync(tool, ['--version']).error === undefined;

describe.each(Object.entries(LANGUAGES))(
  'the models in %s',
  (language, { tools, program, compile, run: start }) => {
    // In CI none may be missing.
    test.skipIf(!tools.every(isHere) && !process.env.CI)('are compiled, and sign a file', async () => {
      const models = modelsIn(language);
      const sources = globSync('**/*.{py,php,java,cs}', { cwd: models }).map((path) => join(models, path));
      expect(sources).toHaveLength(SERVICES.length);
      const path = join(models, program);
      writeFileSync(path, programIn(language).replaceAll('http://localhost:3000', url));
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
});
