import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPkcs11 } from '../../agent/keys/pkcs11/module.ts';
import { temporaryFolder } from './agent-process.ts';
import type { Person } from './holders.ts';

const MODULES = [
  process.env.SOFTHSM2_MODULE,
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/softhsm/libsofthsm.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
];

export const MODULE = MODULES.find((path) => path && existsSync(path)) ?? '';

function missing(): string | undefined {
  if (!MODULE) return 'SoftHSM';
  for (const tool of ['softhsm2-util', 'pkcs11-tool']) if (spawnSync(tool, ['--help']).error) return tool;
  try {
    loadPkcs11();
    return undefined;
  } catch {
    return PACKAGE;
  }
}

// npm leaves the package out where nothing can compile it; the tools are there because CI installs them.
const PACKAGE = 'the package pkcs11js';

const lacking = missing();
if (lacking && lacking !== PACKAGE && process.env.CI)
  throw new Error(`CI tries tokens, and ${lacking} is not installed.`);
if (lacking) console.warn(`${lacking} is not installed: what needs a token is skipped.`);

export const hasTokens = lacking === undefined;

export type SoftToken = {
  readonly label: string;
  /** What the agent is run with. */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** As the token itself says, for example that wrong PINs were tried. */
  flags(): string;
};

const SO_PIN = '12345678';

/** A token of SoftHSM with these people's certificates and keys, in a folder of its own. `--always-auth` is an option. */
export function softToken(people: readonly Person[], pin: string, ...keyOptions: string[]): SoftToken {
  const folder = temporaryFolder();
  const label = `t-${randomUUID().slice(0, 8)}`;
  mkdirSync(join(folder, 'tokens'));
  const conf = join(folder, 'softhsm2.conf');
  const settings = [
    `directories.tokendir = ${join(folder, 'tokens')}`,
    'objectstore.backend = file',
    'log.level = ERROR',
  ];
  writeFileSync(conf, settings.join('\n'));
  const env = { SOFTHSM2_CONF: conf };
  const run = (tool: string, ...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(tool, args, {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    if (status !== 0) throw new Error(`${tool} ${args.join(' ')}: ${stderr}${stdout}`);
    return stdout;
  };
  const tool = (...args: string[]) => run('pkcs11-tool', '--module', MODULE, '--token-label', label, ...args);

  run('softhsm2-util', '--init-token', '--free', '--label', label, '--so-pin', SO_PIN, '--pin', pin);
  for (const [index, { privateKey, certificate }] of people.entries()) {
    // Key and certificate share one id: that is how a token says that they belong together.
    const id = String(index + 1).padStart(2, '0');
    const [key, der] = [join(folder, `${id}.p8`), join(folder, `${id}.der`)];
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'der' }));
    writeFileSync(der, certificate.der);
    const write = (file: string, ...options: string[]) =>
      tool('--login', '--pin', pin, '--write-object', file, '--label', id, '--id', id, ...options);
    write(key, '--type', 'privkey', '--usage-sign', ...keyOptions);
    write(der, '--type', 'cert');
  }
  return {
    label,
    env,
    words: ['--pkcs11', MODULE, '--token', label],
    flags: () => /token flags\s*:(.*)/.exec(tool('--list-token-slots'))?.[1] ?? '',
  };
}
