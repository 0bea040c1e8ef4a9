import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Documents } from '../../../clients/typescript/src/index.ts';
import { ORGANIZATION_ID, SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { freePort } from '../../../infra/local/engine/ports.ts';
import { certificatesFromPem } from '../../../shared/pki/pem.ts';
import { describeInChromium, openBrowser, openPageAt } from '../../browser/chromium.ts';
import { sharedEngine } from '../../servers/shared-engine.ts';
import { missingTools, openJudges } from '../../shared/signing/pades/judges.ts';
import { runCommands, STEPS } from '../page.ts';
import { NODES } from './nodes.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'sinete-client-'));
const at = (...path: string[]) => join(folder, ...path);
const installed = at('node_modules/@sinete/client');
const WALKED = { health: true, listed: true, sizes: [19, 5 * 1024 * 1024], refused: true, silent: true };

const PAGE = readFileSync('clients/typescript/README.md', 'utf8');
const programsIn = (language: string) =>
  [...PAGE.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, program = '']) => program);
const PROGRAMS = programsIn('ts');
// They need a framework, and wait for webhooks.
const [RECEIVER = ''] = programsIn('typescript');
const REQUIRING = `import { Documents } from '@sinete/client';
export const name = async (id: string): Promise<string> =>
  (await new Documents({ url: '' }).getDocument({ id })).name;
`;

let url: string;
let dataDir: string;
let tarball: string;
beforeAll(async () => {
  const packed = run('npm', [
    'pack',
    '--silent',
    '--pack-destination',
    folder,
    '--workspace',
    'clients/typescript',
  ]);
  const [{ stdout }, engine] = await Promise.all([packed, sharedEngine()]);
  ({ url, dataDir } = engine);
  tarball = at(stdout.trim());
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  for (const name of ['express', '@types'])
    symlinkSync(resolve('node_modules', name), at('node_modules', name));
  cpSync('test/clients/typescript/walk.mjs', at('walk.mjs'));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

describe('the packed client', () => {
  test('holds no more than what programs need', async () => {
    const { dependencies, exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();
    expect(exports['.']).toHaveProperty('import');
  });

  test.each(NODES)('is imported and required, and does its work: %s', async (node) => {
    for (const [name, line] of [
      ['main.mjs', "import * as client from '@sinete/client'; import { walk } from './walk.mjs';"],
      [
        'main.cjs',
        "const client = require('@sinete/client'); const walk = (...all) => import('./walk.mjs').then((one) => one.walk(...all));",
      ],
    ] as const) {
      writeFileSync(
        at(name),
        `${line}\nwalk(client, ...process.argv.slice(2)).then((done) => console.log(JSON.stringify(done)));\n`,
      );
      const { stdout } = await run(node, [at(name), url, SANDBOX_KEY]);
      expect(JSON.parse(stdout)).toEqual(WALKED);
    }
  });

  // The time that it takes is in the list of the slowest tests.
  test('gives a new user a signed file: npm init, npm install, and the twenty lines of its page', async () => {
    const project = mkdtempSync(join(tmpdir(), 'sinete-new-user-'));
    await run('npm', ['init', '-y'], { cwd: project });
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project });
    expect(PROGRAMS[0]?.split('\n').length).toBeLessThanOrEqual(20);
    cpSync('examples/two-signers/contract.pdf', join(project, 'contract.pdf'));
    for (const [index, program] of PROGRAMS.entries()) {
      writeFileSync(join(project, `${index}.mjs`), program.replaceAll('http://localhost:3000', url));
      await run(process.execPath, [`${index}.mjs`], { cwd: project });
    }
    const signed = readFileSync(join(project, 'signed.pdf'));
    rmSync(project, { recursive: true });
    if (missingTools().length > 0) return;
    const [root] = certificatesFromPem(readFileSync(join(dataDir, 'pki/root.crt'), 'utf8'));
    if (!root) throw new Error('The engine has written no root.');
    const judges = openJudges(root, '-no-ocsp');
    expect(judges.judge(signed).signatures).toEqual(['Signature is Valid.']);
    judges.close();
  });

  // A part of npm run test:clients.
  test('the client in TypeScript signs, verifies and receives a webhook', async () => {
    const instead = ['npm pack', ':'] as const;
    const env = { npm_config_offline: 'true' };
    expect(await runCommands('TypeScript', { folder, url, instead, env })).toContain(STEPS);
  });

  test('receives a webhook of the engine by what its page shows', async () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    writeFileSync(at('receiver.mts'), RECEIVER);
    const port = String(await freePort());
    const env = { ...process.env, PORT: port, TOKEN: 'a-long-random-token', SECRET: secret };
    const receiver = spawn(process.execPath, ['receiver.mts'], { cwd: folder, env });
    let out = '';
    for (const stream of [receiver.stdout, receiver.stderr]) stream.on('data', (chunk) => (out += chunk));
    try {
      await expect.poll(() => out).toContain('Waiting for webhooks.');
      const documents = new Documents({ url: `${url}/documents`, key: SANDBOX_KEY });
      const orgId = ORGANIZATION_ID;
      const body = { url: `http://127.0.0.1:${port}/webhooks`, secret } as const;
      const register = async (token: string) =>
        (await documents.createWebhook({ orgId, body: { ...body, authType: 'Bearer', token } })).webhookId;
      const right = await register('a-long-random-token');
      const wrong = await register('another token');
      try {
        const { deliveryId } = await documents.sendWebhookTest({ orgId, webhookId: right });
        await expect.poll(() => out).toContain(`${deliveryId} WebhookTest`);
        const refused = await documents.sendWebhookTest({ orgId, webhookId: wrong });
        const attempted = async () =>
          (await documents.getWebhookDelivery({ orgId, webhookId: wrong, deliveryId: refused.deliveryId }))
            .attempts[0];
        await expect
          .poll(attempted)
          .toMatchObject({ status: 401, response: 'The token is missing or wrong.' });
        expect(out).not.toContain(refused.deliveryId);
      } finally {
        for (const webhookId of [right, wrong]) await documents.deleteWebhook({ orgId, webhookId });
      }
    } finally {
      receiver.kill();
    }
  });

  test.each([
    ['nodenext', 'mts'],
    ['nodenext', 'cts'],
    ['bundler', 'ts'],
  ])('has types for programs that resolve modules by %s: .%s', async (resolution, extension) => {
    const project = at(`types-${extension}`);
    mkdirSync(project);
    const programs = extension === 'cts' ? [REQUIRING] : [...PROGRAMS, RECEIVER];
    for (const [index, program] of programs.entries())
      writeFileSync(join(project, `${index}.${extension}`), program);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'] },
      ...{ module: resolution === 'bundler' ? 'preserve' : resolution, moduleResolution: resolution },
      ...{ types: ['node'], typeRoots: [resolve('node_modules/@types')] },
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*'] }));
    const compiled = run(process.execPath, ['node_modules/typescript/bin/tsc', '--project', project]);
    const { stdout } = await compiled.catch(({ stdout: said }) => ({ stdout: said }));
    expect(stdout).toBe('');
  });
});

// What is larger goes to a store, which takes files from no page.
const SMALL = 1024 * 1024;

describeInChromium('the packed client in Chromium', () => {
  test('does its work in a page of the same address', async () => {
    const browser = await openBrowser();
    try {
      const page = await openPageAt(browser, `${url}/documents/healthz`);
      const script = readFileSync(join(installed, 'dist/index.js'), 'utf8');
      const walking = readFileSync(at('walk.mjs'), 'utf8');
      // As text: what loads modules in a test is not there in a page.
      const given = JSON.stringify([script, walking, url, SANDBOX_KEY, SMALL]);
      const done = await page.evaluate(`(async ([code, steps, ...given]) => {
        const load = (text) => import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
        const [client, { walk }] = await Promise.all([load(code), load(steps)]);
        return walk(client, ...given);
      })(${given})`);
      expect(done).toEqual({ ...WALKED, sizes: [19, SMALL] });
    } finally {
      await browser.close();
    }
  });
});
