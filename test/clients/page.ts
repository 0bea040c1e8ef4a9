import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { contractFiles } from '../../infra/contracts/write.ts';
import { ownEnvironment } from '../infra/local/engine/engine-process.ts';

const PAGE = readFileSync('docs/clients.md', 'utf8');

/** The first block below a heading of docs/clients.md. */
export function blockOf(heading: string, language = ''): string {
  const [, text] = new RegExp(`^### ${heading}\n.*?^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(PAGE) ?? [];
  if (text === undefined) throw new Error(`docs/clients.md has no block for ${heading}.`);
  return text;
}

/** As npm run contracts does. */
export function writeContracts(folder: string): void {
  for (const [name, text] of contractFiles()) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

type Place = {
  /** In place of /tmp. */
  readonly folder: string;
  /** The address of an engine. */
  readonly url: string;
  /** In place of the line that begins so, for what was made before. */
  readonly instead?: readonly [line: string, command: string];
  readonly env?: Readonly<Record<string, string>>;
};

/** What the program of a language prints, built and run by the commands of the page. */
export async function runCommands(language: string, { folder, url, instead, env }: Place): Promise<string> {
  const page = blockOf(language).replaceAll('/tmp/', `${folder}/`);
  const [line, command] = instead ?? ['', ''];
  if (!page.includes(line)) throw new Error(`docs/clients.md does not say ${line}.`);
  const commands = line === '' ? page : page.replace(new RegExp(`^${line}.*$`, 'm'), command);
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
    env: { ...ownEnvironment(), PATH: path, SINETE_URL: url, ...env },
  });
  console.log(`${language}\n${stdout}`);
  return stdout;
}

/** What each program prints, a line for each step. */
export const STEPS = `Signed: signed.pdf
Verified: valid, 1 signature
Webhook: created
Event: DocumentsCreated
`;
