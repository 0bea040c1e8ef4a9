import { execFileSync, spawnSync } from 'node:child_process';

const missing = spawnSync('oathtool', ['--version']).error !== undefined;
if (missing && process.env.CI) throw new Error('CI makes codes with oathtool, which is not installed.');
if (missing) console.warn('oathtool is not installed: the tests that need its codes are skipped.');

export const hasOathtool = !missing;

/** The code of a secret at this time, as another program computes it. */
export const codeAt = (secret: string, ms: number): string =>
  execFileSync('oathtool', [
    '--totp',
    '-b',
    secret.replaceAll(' ', ''),
    '--now',
    new Date(ms).toISOString().replace('T', ' ').replace(/\..*/, ' UTC'),
  ])
    .toString()
    .trim();
