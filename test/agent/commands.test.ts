import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serverAddress } from '../../agent/commands/enrol.ts';
import { runAgent } from '../../agent/run-agent.ts';
import { createEnrolmentCode } from '../../functions/session/domain/workstations/enrolment.ts';
import { agentCommand, agentProcess, cleanUp, enrolled, p12Of, temporaryFolder } from './agent-process.ts';
import { holderPage } from './holder-page.ts';
import { anyPerson } from './holders.ts';
import { type Host, serveSession } from './host.ts';
import { useShortTimes } from './short-times.ts';

let host: Host;
beforeAll(async () => {
  useShortTimes();
  host = await serveSession();
});
afterAll(async () => {
  await cleanUp();
  host.close();
});

async function runWith(...words: string[]): Promise<{ code: number; said: string; printedErrors: string }> {
  const lines = { said: '', printedErrors: '' };
  const output = {
    print: (line: string) => {
      lines.said += `${line}\n`;
    },
    printError: (line: string) => {
      lines.printedErrors += `${line}\n`;
    },
  };
  return { code: await runAgent(words, output), ...lines };
}

/** Exit code 1 and one line that says what stands in the way. */
async function refused(...words: string[]): Promise<string> {
  const { code, said, printedErrors } = await runWith(...words);
  expect({ code, said }).toEqual({ code: 1, said: '' });
  expect(printedErrors.trim().split('\n')).toHaveLength(1);
  return printedErrors.trim();
}

describe('sinete-agent enrol', () => {
  test('keeps its keys where only this user reads them, and enrols once', async () => {
    const dataDir = join(temporaryFolder(), 'agent');
    const { code: codeText } = await createEnrolmentCode({}, Date.now());
    const words = [
      'enrol',
      '--server',
      `${host.url}/`,
      '--code',
      codeText,
      '--name',
      'desk 7',
      '--data',
      dataDir,
    ];
    const { code, printed } = await agentCommand(...words);
    expect({ code, printed }).toEqual({
      code: 0,
      printed: expect.stringMatching(new RegExp(`^Enrolled desk 7 as \\S+ at ${host.url}\\.`)),
    });
    expect(statSync(join(dataDir, 'identity.json')).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(await refused(...words)).toMatch(/^This workstation is enrolled already/);
  });

  test('says that a code is not accepted, and leaves nothing behind', async () => {
    const dataDir = join(temporaryFolder(), 'agent');
    const words = ['enrol', '--server', host.url, '--code', 'WRONG', '--data', dataDir];
    expect(await refused(...words)).toMatch(/^The code is not accepted/);
    expect(existsSync(dataDir)).toBe(false);
  });

  test('says that a server does not answer, or is none', async () => {
    const enrol = (server: string) =>
      refused('enrol', '--server', server, '--code', 'X', '--data', temporaryFolder());
    expect(await enrol('http://127.0.0.1:1/session')).toMatch(
      /^http:\/\/127\.0\.0\.1:1\/session does not answer: /,
    );
    expect(await enrol(host.url.replace('/session', '/elsewhere'))).toMatch(
      /does not enrol this workstation: HTTP 404/,
    );
  });

  test('tells a server nothing over an open line, unless it is this machine', () => {
    expect(() => serverAddress('http://sign.example/session')).toThrow(/is not encrypted\. Use https/);
    for (const text of ['sign.example', 'ftp://sign.example', ''])
      expect(() => serverAddress(text)).toThrow(/^--server takes an https address/);
    expect(serverAddress('https://sign.example/prod/session/')).toBe('https://sign.example/prod/session');
    expect(serverAddress('http://[::1]:3000/session')).toBe('http://[::1]:3000/session');
  });
});

describe('sinete-agent, asked for what it cannot do, exits 1 with one line', () => {
  test.each([
    ['an unknown command', ['sing'], /^There is no command "sing"\. See: /],
    ['a mistyped command', ['stauts'], /^There is no command "stauts"\. Did you mean status\? See: /],
    ['a mistyped option', ['run', '--pkcs12'], /^Unknown option '--pkcs12'\. Did you mean --pkcs11\? See: /],
    ['no command', [], /^Name a command\. See: sinete-agent --help$/],
    ['an unknown option', ['run', '--colour'], /^Unknown option '--colour'/],
    [
      'an unknown option alone',
      ['--colour', 'red'],
      /^Unknown option '--colour'\. See: sinete-agent --help$/,
    ],
    ['an option that its command does not have', ['status', '--p12', 'a'], /^--p12 is no option of status/],
    ['an option without its command', ['--p12', 'a'], /^--p12 goes with a command/],
    [
      'an option without its value',
      ['run', '--data', '--p12', 'a'],
      /^Option '--data' argument is ambiguous\./,
    ],
    ['no server', ['enrol', '--code', 'X'], /^Usage: sinete-agent enrol/],
    ['no key', ['run'], /^Name where the key is: --p12 FILE, or --pkcs11 MODULE/],
    ['two keys', ['run', '--p12', 'a', '--pkcs11', 'b'], /^Name where the key is/],
    ['a slot that is none', ['run', '--pkcs11', 'b', '--slot', 'x'], /^--slot takes a whole number/],
    [
      'an identity that is not there',
      ['status', '--data', '/nowhere/at/all'],
      /is not enrolled: there is no/,
    ],
  ])('%s', async (_, words, complaint) => {
    expect(await refused(...words)).toMatch(complaint);
  });

  test('a file that is not there', async () => {
    const dataDir = await enrolled(host);
    expect(await refused('run', '--p12', '/nowhere/ana.p12', '--data', dataDir)).toBe(
      'There is no file /nowhere/ana.p12.',
    );
  });

  test('an identity that is damaged', async () => {
    const dataDir = temporaryFolder();
    for (const text of [
      '{',
      '{}',
      '{"agentId":"x","server":"http://x","name":"x","ed25519":"AA","x25519":"AA","serverKey":"AA"}',
    ]) {
      writeFileSync(join(dataDir, 'identity.json'), text);
      expect(await refused('status', '--data', dataDir)).toMatch(/identity\.json is damaged\. Delete it/);
    }
  });
});

describe('sinete-agent status', () => {
  test('tells who this workstation is and what its agent does; a second agent with one identity does not start', async () => {
    const dataDir = await enrolled(host);
    expect((await runWith('status', '--data', dataDir)).said).toMatch(
      /^a desk, enrolled as \S+ at http.*\nThe agent does not run\.\n$/,
    );
    const person = anyPerson();
    const p12 = await p12Of(person, '4321');
    const agent = agentProcess(['run', '--p12', p12, '--data', dataDir]);
    const page = await holderPage(agent);
    await agent.said(/Connected/);
    await page.shows(/needed once/);
    await page.confirm('4321');
    await agent.said(/Offering/);
    const { said } = await runWith('status', '--data', dataDir);
    expect(said).toContain(`The agent runs as process ${agent.process.pid}.`);
    expect(said).toContain('It is connected; PIN: in use.');
    expect(said).toContain(person.name);
    expect(await refused('run', '--p12', p12, '--data', dataDir)).toMatch(
      /^An agent runs with this identity already/,
    );
    expect(statSync(join(dataDir, 'running.json')).mode & 0o777).toBe(0o600);
    await agent.kill();
    expect((await runWith('status', '--data', dataDir)).said).toContain('The agent does not run.');
  });
});

describe('an agent that is refused', () => {
  test('says so once and goes on trying', async () => {
    const dataDir = await enrolled(host);
    const path = join(dataDir, 'identity.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"agentId": "[^"]+"/, '"agentId": "nobody"'));
    const agent = agentProcess([
      'run',
      '--p12',
      await p12Of(anyPerson(), '4321'),
      '--data',
      dataDir,
      '--no-page',
    ]);
    await agent.said(/Not connected: The server does not accept this agent\. It was disabled/);
    agent.process.kill('SIGTERM');
    expect(await agent.exited).toBe(0);
  });
});
