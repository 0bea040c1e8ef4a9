import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { enrol } from '../../agent/commands/enrol.ts';
import { createEnrolmentCode } from '../../functions/session/domain/workstations/enrolment.ts';
import type { Output } from '../../shared/command-line/output.ts';
import { writePkcs12 } from '../../shared/pki/pkcs12/write.ts';
import type { Person } from './holders.ts';
import type { Host } from './host.ts';

const SCRIPT = resolve(import.meta.dirname, '../../agent/sinete-agent.mjs');
const PKCS12_ROUNDS = 1_000; // tests open files often, and keep nothing in them

// As long as expect.poll waits: a busy machine takes its time to start a process.
const SAID_WITHIN_MS = 60_000;

export type AgentProcess = {
  readonly process: ChildProcess;
  /** What it has said so far. */
  readonly printed: () => string;
  /** Waits until it has said this; gives what the pattern found. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** Kills it as the system would: nothing is tidied up. */
  kill(): Promise<void>;
  readonly exited: Promise<number | NodeJS.Signals | null>;
};

const started: ChildProcess[] = [];
const folders: string[] = [];

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-agent-'));
  folders.push(folder);
  return folder;
}

/** The agent as a process of its own, as people run it. */
export function agentProcess(
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
  script = SCRIPT,
): AgentProcess {
  const child = spawn(process.execPath, [script, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', ...env },
  });
  started.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      text += chunk;
    });
  const exited = new Promise<number | NodeJS.Signals | null>((done) => {
    child.once('close', (code, signal) => done(code ?? signal));
  });
  return {
    process: child,
    printed: () => text,
    exited,
    async said(pattern) {
      const giveUpAt = performance.now() + SAID_WITHIN_MS;
      for (;;) {
        const found = pattern.exec(text);
        if (found) return found;
        if (child.exitCode !== null || performance.now() > giveUpAt)
          throw new Error(`The agent did not say ${pattern}. It said: ${text}`);
        await pause(20);
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Runs a command of the agent to its end. */
export async function agentCommand(...words: string[]): Promise<{ code: unknown; printed: string }> {
  const agent = agentProcess(words);
  return { code: await agent.exited, printed: agent.printed().trim() };
}

/** A folder in which an agent is enrolled with the host, for one CPF where it is given. */
export async function enrolled({ url }: Host, cpf?: string): Promise<string> {
  const dataDir = join(temporaryFolder(), 'agent');
  const { code } = await createEnrolmentCode(cpf ? { cpf } : {}, Date.now());
  await enrol({ server: url, code, name: 'a desk', dataDir }, SILENT);
  return dataDir;
}

const SILENT: Output = { print: () => undefined, printError: () => undefined };

export async function p12Of({ privateKey, certificate }: Person, pin: string): Promise<string> {
  const path = join(temporaryFolder(), 'holder.p12');
  writeFileSync(path, await writePkcs12({ privateKey, certificate }, pin, PKCS12_ROUNDS));
  return path;
}

/** For afterAll: nothing that these tests started or wrote is left. */
export async function cleanUp(): Promise<void> {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await new Promise((done) => child.once('close', done));
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
