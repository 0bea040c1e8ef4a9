import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { newRing } from '../../infra/local/stores/ring-file.ts';
import { unknownSettings } from '../../infra/settings.ts';
import { testPki } from '../certificates/pki.ts';
import { bareEnvironment, command } from './child.ts';

const { scripts, dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const config = parse(readFileSync('packaging/sinete.example.yaml', 'utf8'));

/** The instructions of the Dockerfile, a list for each stage. */
const stages: { readonly name: string; readonly rest: string }[][] = [];
for (const line of readFileSync('Dockerfile', 'utf8').replace(/\\\n/g, ' ').split('\n')) {
  const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
  if (name === 'FROM') stages.push([]);
  stages.at(-1)?.push({ name, rest });
}
const image = stages.at(-1) ?? [];
const instruction = (name: string): string => image.findLast((line) => line.name === name)?.rest ?? '';
const variables = Object.fromEntries(
  instruction('ENV')
    .split(/\s+/)
    .map((pair) => pair.split('=') as [string, string]),
);
/** The files of the repository that a stage copies. */
const copiedBy = (stage: typeof image): string[] =>
  stage
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from='))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1));

describe('the image', () => {
  test('is made of files that exist and that .dockerignore lets in', () => {
    const letIn = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = [...new Set(stages.flatMap(copiedBy))];
    for (const path of copied) expect(existsSync(path), path).toBe(true);
    expect(letIn.toSorted()).toEqual(copied.toSorted());
  });

  test('has the Node of package.json, and runs scripts that are there', () => {
    const text = readFileSync('Dockerfile', 'utf8');
    const version = (dependencies.node ?? devDependencies.node) as string;
    expect(text).toContain(`ARG NODE_VERSION=${version}\n`);
    for (const [, script = ''] of text.matchAll(/npm run ([\w:]+)/g))
      expect(Object.keys(scripts)).toContain(script);
    for (const path of [
      ...`${instruction('CMD')} ${instruction('HEALTHCHECK')}`.matchAll(/"([\w/]+\.mjs)"/g),
    ])
      expect(existsSync(path[1] ?? ''), path[1]).toBe(true);
    expect(scripts.serve).toBe(`node ${JSON.parse(instruction('CMD'))[0]}`);
  });

  test('has all that its functions were built from: another hash would build them again, on a read-only disk', () => {
    expect(copiedBy(image)).toEqual(
      expect.arrayContaining(copiedBy(stages[0] ?? []).filter((path) => path !== '.npmrc')),
    );
  });

  test('runs as nobody in particular, and writes to one volume', () => {
    expect(instruction('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(instruction('VOLUME')).toBe(config.data);
    const [uid, gid] = instruction('USER').split(':');
    expect(image.some(({ rest }) => rest === `install -d -o ${uid} -g ${gid} -m 0700 ${config.data}`)).toBe(
      true,
    );
  });

  test('answers where the example listens', () => {
    expect(instruction('EXPOSE')).toBe(String(config.listen.port));
    expect(new URL(variables.SINETE_HEALTH_URL ?? '').port).toBe(String(config.listen.port));
  });
});

test('the example of sinete.yaml is complete once its files are there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-example-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'sinete.yaml');
  writeFileSync(
    file,
    readFileSync('packaging/sinete.example.yaml', 'utf8').replaceAll('/etc/sinete/', `${folder}/`),
  );
  mkdirSync(join(folder, 'secrets'));
  writeFileSync(join(folder, 'secrets/sealing.keys'), newRing());
  for (const name of ['signer-key', 'operator-key'])
    writeFileSync(join(folder, 'secrets', name), `${randomBytes(16).toString('hex')}\n`);
  writeFileSync(join(folder, 'roots.pem'), testPki().root.certificate.toString());
  const check = command('infra/host/serve.mjs', { env: bareEnvironment() });
  expect(await check('--config', file, '--check')).toEqual({
    code: 0,
    out: `${file} and the environment are complete.`,
    error: '',
  });
});

test('compose gives the image its file, its volume, the time to stop, and settings that there are', async () => {
  const { services } = parse(readFileSync('compose.yaml', 'utf8'));
  const { volumes, ports, stop_grace_period: grace, read_only: isReadOnly, environment } = services.sinete;
  expect(isReadOnly).toBe(true);
  expect(volumes).toEqual([`./config:${dirname(variables.SINETE_CONFIG ?? '')}:ro`, `data:${config.data}`]);
  expect(ports).toEqual([`127.0.0.1:3000:${config.listen.port}`]);
  expect(Number.parseInt(grace, 10)).toBeGreaterThan(config.stop.withinSeconds);
  expect(new URL(environment.Mail__Smtp__Server).hostname in services).toBe(true);
  expect(await unknownSettings(environment)).toEqual([]);
});

describe('the units of systemd', () => {
  const units = readdirSync('packaging').filter((name) => /\.(service|timer)$/.test(name));
  const unit = (name: string): Map<string, string> =>
    new Map(
      readFileSync(join('packaging', name), 'utf8')
        .split('\n')
        .flatMap((line) => (/^[A-Z]\w+=/.test(line) ? [line.split(/=(.*)/s, 2) as [string, string]] : [])),
    );

  test('run files that are there, as an own user, with the file of the image', () => {
    for (const name of units.filter((each) => each.endsWith('.service'))) {
      const options = unit(name);
      const [, script = ''] = /\/usr\/bin\/node (\S+)/.exec(options.get('ExecStart') ?? '') ?? [];
      expect(existsSync(script), script).toBe(true);
      expect(options.get('User')).toBe('sinete');
      expect(options.get('Environment')).toBe(`SINETE_CONFIG=${variables.SINETE_CONFIG}`);
      expect(options.get('NoNewPrivileges')).toBe('yes');
      expect(options.get('ProtectSystem')).toBe('strict');
      expect(options.get('ReadWritePaths')?.split(' ')).toContain(config.data);
    }
    const host = unit('sinete.service');
    expect(host.get('Type')).toBe('notify');
    expect(Number(host.get('TimeoutStopSec'))).toBeGreaterThan(config.stop.withinSeconds);
    expect(`/var/lib/${host.get('StateDirectory')}`).toBe(config.data);
    expect(`/etc/${host.get('ConfigurationDirectory')}`).toBe(dirname(variables.SINETE_CONFIG ?? ''));
  });

  test('that makes backups has every restriction of the host', () => {
    const restrictions = (name: string): string[] =>
      readFileSync(join('packaging', name), 'utf8')
        .split('\n')
        .filter((line) =>
          /^(NoNew|Protect|Private|Restrict|Lock|Capability|Ambient|SystemCall|UMask)\w*=/.test(line),
        );
    expect(restrictions('sinete-backup.service')).toEqual(restrictions('sinete.service'));
  });

  test('let threads lower their priority, after what they refuse', () => {
    for (const name of units.filter((each) => each.endsWith('.service')))
      expect(readFileSync(join('packaging', name), 'utf8')).toMatch(
        /^SystemCallFilter=~.*@resources\nSystemCallFilter=setpriority$/m,
      );
  });

  test('write to folders, and are enabled, by the commands of the page', () => {
    const commands = readFileSync('docs/self-hosting.md', 'utf8');
    const [, made = ''] = /^install -d -o sinete -g sinete -m 0700 (.*)$/m.exec(commands) ?? [];
    const [, enabled = ''] = /^systemctl enable --now (.*)$/m.exec(commands) ?? [];
    for (const name of units) {
      const writable = unit(name).get('ReadWritePaths')?.split(' ') ?? [];
      expect(made.split(' ')).toEqual(expect.arrayContaining(writable));
      expect(commands).toContain(`packaging/${name}`);
      const isInstalled = readFileSync(join('packaging', name), 'utf8').includes('[Install]');
      expect([name, enabled.split(' ').includes(name.replace(/\.service$/, ''))]).toEqual([
        name,
        isInstalled,
      ]);
    }
  });

  // On machines that have systemd: it knows every option and its values.
  test.runIf(spawnSync('systemd-analyze', ['--version']).status === 0)('are accepted by systemd', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-units-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync('packaging', folder, { recursive: true });
    for (const name of units) {
      const path = join(folder, name);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('/opt/sinete', process.cwd()));
    }
    const { status, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', ...units.map((name) => join(folder, name))],
      {
        encoding: 'utf8',
      },
    );
    expect([status, stderr.split('\n').filter((line) => line.includes('sinete'))]).toEqual([0, []]);
  });
});

test('the health check ends with 0 for 200 alone', async () => {
  const server = createServer((request, response) => {
    response.statusCode = Number(basename(request.url ?? ''));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const codeFor = async (url: string): Promise<number> =>
    (await command('packaging/health.mjs', { env: { SINETE_HEALTH_URL: url } })()).code;
  expect(await codeFor(`http://127.0.0.1:${port}/200`)).toBe(0);
  expect(await codeFor(`http://127.0.0.1:${port}/503`)).toBe(1);
  expect(await codeFor('http://127.0.0.1:1/200')).toBe(1);
});
