import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// `npm run install:size` says how large the installation is, whole and without development, and fails where a part has
// outgrown its limit. Packages that come along and are never loaded are replaced by an empty one (`overrides` of
// package.json): pdf.js draws in browsers and needs no canvas for Node, @signpdf adds its placeholder without pdfkit, and
// no function is written in Java, which serverless-offline would run. The reference's viewer is taken from the package that has no dependencies of a browser.

const MB = 1024 * 1024;
const MAX_BYTES = { whole: 700 * MB, production: 150 * MB };
/** What builds and starts have put there since the installation. */
const CACHES = [
  'node_modules/.cache',
  'node_modules/.vite',
  'node_modules/.vite-temp',
  'node_modules/.vitest-cache',
];

type Lock = {
  readonly packages: Readonly<
    Record<string, { readonly dev?: boolean; readonly devOptional?: boolean; readonly link?: boolean }>
  >;
};

/** The disk space of a folder, as `du` counts it: whole blocks, folders included, and a file of two names once. */
function bytesOf(path: string, seen: Set<number>, without: ReadonlySet<string>): number {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (!entry || without.has(path) || seen.has(entry.ino)) return 0;
  seen.add(entry.ino);
  const inside = entry.isDirectory() ? readdirSync(path) : [];
  return inside.reduce((sum, name) => sum + bytesOf(join(path, name), seen, without), entry.blocks * 512);
}

/** @example installedBytes(root) // { whole: 670_000_000, production: 152_000_000 } */
export function installedBytes(root: string): { readonly whole: number; readonly production: number } {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const all = Object.entries(packages).filter(([path]) => path.startsWith('node_modules/'));
  const place = (path: string): string => join(root, path);
  const caches = CACHES.map(place);
  const ofDevelopment = all
    .filter(([, { dev, devOptional }]) => dev || devOptional)
    .map(([path]) => place(path));
  const size = (without: readonly string[]) => bytesOf(place('node_modules'), new Set(), new Set(without));
  return { whole: size(caches), production: size([...caches, ...ofDevelopment]) };
}

if (import.meta.main) {
  const bytes = installedBytes(join(import.meta.dirname, '../..'));
  for (const [part, command] of [
    ['whole', 'npm ci'],
    ['production', 'npm ci --omit=dev'],
  ] as const) {
    const [is, most] = [bytes[part], MAX_BYTES[part]].map((each) => Math.ceil(each / MB));
    console.log(`node_modules after \`${command}\`: ${is} MB, of at most ${most} MB.`);
    if (bytes[part] > MAX_BYTES[part]) process.exitCode = 1;
  }
}
